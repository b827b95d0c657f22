import { describe, expect, test } from 'vitest';

import {
  readDdl as read,
  readSchema as schemaOf,
  readTable as tableOf,
} from '../../sql/ddl/read-ddl.ts';
import type { Column } from '../../../src/model/schema.ts';

const readSchema = (text: string): ReturnType<typeof schemaOf> => schemaOf('postgres', text);
const readTable = (text: string, name?: string): ReturnType<typeof tableOf> =>
  tableOf('postgres', text, name);

async function readColumn(definition: string): Promise<Column> {
  const { columns } = await readTable(`CREATE TABLE t (${definition})`);
  return columns[0]!;
}

test('sequence options are read if pg_dump quotes all identifiers', async () => {
  const table = await readTable(`
    CREATE TABLE "public"."a" ("id" integer NOT NULL);
    CREATE SEQUENCE "public"."a_id_seq";
    ALTER TABLE ONLY "public"."a" ALTER COLUMN "id" SET DEFAULT "nextval"('"public"."a_id_seq"'::"regclass");`);
  expect(table.columns).toMatchObject([
    { autoIncrement: true, default: `nextval('"public"."a_id_seq"'::regclass)` },
  ]);
});

test('exclusion constraints keep their text', async () => {
  const table = await readTable(`
    CREATE TABLE booked (room int, during tsrange,
      CONSTRAINT apart EXCLUDE USING gist (room WITH =, during WITH &&) WHERE (room > 0), EXCLUDE USING hash (room WITH =));
    ALTER TABLE booked ADD CONSTRAINT third EXCLUDE (room WITH =) DEFERRABLE;`);
  expect(table.options?.['constraints']?.split(',\n  ')).toEqual([
    'CONSTRAINT apart EXCLUDE USING gist (room WITH =, during WITH &&) WHERE (room > 0)',
    'EXCLUDE USING hash (room WITH =)',
    'CONSTRAINT third EXCLUDE (room WITH =) DEFERRABLE',
  ]);
  expect(table).toMatchObject({ indexes: [], columns: [{ name: 'room' }, { name: 'during' }] });
});

describe('types', () => {
  test.each([
    ['int', 'integer', { kind: 'integer', bits: 32 }],
    ['bigint', 'bigint', { kind: 'integer', bits: 64 }],
    ['bool', 'boolean', { kind: 'boolean' }],
    ['numeric(10,2)', 'numeric(10,2)', { kind: 'decimal', precision: 10, scale: 2 }],
    ['decimal', 'numeric', { kind: 'decimal' }],
    ['varchar(20)', 'character varying(20)', { kind: 'text', length: 20 }],
    ['char', 'character(1)', { kind: 'text', length: 1, fixed: true }],
    ['"char"', '"char"', { kind: 'text' }],
    ['double precision', 'double precision', { kind: 'float', bits: 64 }],
    [
      'timestamp(3) with time zone',
      'timestamp(3) with time zone',
      { kind: 'timestamp', precision: 3, zone: true },
    ],
    ['timestamptz', 'timestamp with time zone', { kind: 'timestamp', zone: true }],
    ['time', 'time without time zone', { kind: 'time' }],
    ['interval day to second(3)', 'interval day to second(3)', { kind: 'interval' }],
    ['jsonb', 'jsonb', { kind: 'json', binary: true }],
    ['bit(3)', 'bit(3)', { kind: 'bits', length: 3 }],
    [
      'numeric(5,2)[][]',
      'numeric(5,2)[]',
      { kind: 'array', of: { kind: 'decimal', precision: 5, scale: 2 } },
    ],
    ['inet', 'inet', { kind: 'other', name: 'inet' }],
    ['"inet"', 'inet', { kind: 'other', name: 'inet' }],
    ['"int4range"[]', 'int4range[]', { kind: 'array', of: { kind: 'other', name: 'int4range' } }],
    ['public.citext', 'public.citext', { kind: 'text' }],
    [
      'public.geometry(Point,4326)',
      'public.geometry(Point,4326)',
      { kind: 'other', name: 'geometry' },
    ],
  ])('%s', async (written, nativeType, type) => {
    expect(await readColumn(`a ${written} NOT NULL`)).toMatchObject({
      nativeType,
      type,
      nullable: false,
    });
  });

  test('that the file creates', async () => {
    const { schema, warnings } = await read(
      'postgres',
      `
      CREATE TYPE public.mood AS ENUM ('glad', 'it''s');
      ALTER TYPE mood ADD VALUE 'new' BEFORE 'it''s';
      CREATE DOMAIN year AS integer DEFAULT 2000 CONSTRAINT c CHECK (VALUE >= 1901);
      CREATE TABLE t (m public.mood DEFAULT 'glad'::public.mood NOT NULL, y year, ms mood[]);`,
    );
    expect(schema.enums).toEqual([{ name: 'mood', values: ['glad', 'new', "it's"] }]);
    expect(schema.tables[0]?.columns).toMatchObject([
      {
        type: { kind: 'enum', name: 'mood', values: ['glad', 'new', "it's"] },
        default: "'glad'::public.mood",
      },
      { type: { kind: 'integer' }, nativeType: 'integer', default: '2000' },
      { type: { kind: 'array', of: { kind: 'enum' } } },
    ]);
    expect(schema.tables[0]?.checks).toEqual([{ expression: '"y" >= 1901' }]);
    expect(warnings).toEqual([
      'Line 4: the domain year is left out: its columns are integer with its checks.',
    ]);
  });
});

test('objects that pg_dump --clean drops before it creates the tables are listed', async () => {
  const { problems, schema, dropped } = await read(
    'postgres',
    `ALTER TABLE ONLY public.c DROP CONSTRAINT c_p_fkey;
     ALTER TABLE public.p ALTER COLUMN id DROP DEFAULT;
     DROP TABLE public.p;
     CREATE TABLE public.p (id int);`,
  );
  expect(problems).toEqual([]);
  expect(schema.tables.map(({ name }) => name)).toEqual(['p']);
  expect(dropped.map(({ name, line }) => [name, line])).toEqual([
    ['c', 1],
    ['p', 2],
    ['p', 3],
  ]);
});

describe('columns', () => {
  test.each([
    ["text DEFAULT 'é, (x)'::text NOT NULL", "'é, (x)'::text"],
    ["text COLLATE \"C\" DEFAULT ('a' || 'b') CHECK (a <> '')", "('a' || 'b')"],
    ['int[] DEFAULT ARRAY[1, 2] NOT NULL', 'ARRAY[1, 2]'],
    ['numeric DEFAULT -1', '-1'],
    ['int DEFAULT NULL', undefined],
    ['varchar(3) DEFAULT NULL::character varying', 'NULL::character varying'],
  ])('%s', async (definition, defaultText) => {
    expect((await readColumn(`a ${definition}`)).default).toBe(defaultText);
  });

  test('can have identities whose sequence pg_dump names', async () => {
    const warningsOf = async (sequence: string) =>
      (
        await read(
          'postgres',
          `CREATE TABLE t (a int); ALTER TABLE t ALTER COLUMN a ADD GENERATED ALWAYS AS IDENTITY (
             SEQUENCE NAME public.${sequence} START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1)`,
        )
      ).warnings;
    expect(await warningsOf('t_a_seq')).toEqual([]);
    expect(await warningsOf('numbers')).toEqual([expect.stringContaining('sequence name')]);
  });

  test('can be generated, identity and serial columns', async () => {
    const { columns } = await readTable(`CREATE TABLE s.t (
      g text GENERATED ALWAYS AS (lower((a ->> 'x'::text))) STORED, i int GENERATED ALWAYS AS IDENTITY (START 5),
      d int GENERATED BY DEFAULT AS IDENTITY, b bigserial)`);
    expect(columns).toMatchObject([
      { generated: { expression: "lower((a ->> 'x'::text))", stored: true } },
      { autoIncrement: true, identityAlways: true, nullable: false },
      { autoIncrement: true, nullable: false },
      {
        autoIncrement: true,
        nativeType: 'bigint',
        default: "nextval('s.t_b_seq'::regclass)",
        nullable: false,
      },
    ]);
  });

  test('and constraints have their positions in texts of any script', async () => {
    const table = await readTable(
      `CREATE TABLE tä (ö text DEFAULT 'ü€😀', CONSTRAINT ß CHECK (ö <> '😀'), x int DEFAULT 3 REFERENCES tä)`,
    );
    expect(table.columns.map(({ default: defaultText }) => defaultText)).toEqual(["'ü€😀'", '3']);
    expect(table.checks).toEqual([{ name: 'ß', expression: "ö <> '😀'" }]);
  });
});

test('a dump is read', async () => {
  const { schema, warnings, problems } = await read(
    'postgres',
    `
--
-- PostgreSQL database dump
--
\\restrict abc
SET statement_timeout = 0;
SELECT pg_catalog.set_config('search_path', '', false);
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;
COMMENT ON EXTENSION pg_trgm IS 'x';
CREATE FUNCTION public.f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DELETE FROM a; RETURN NEW; END $$;
ALTER FUNCTION public.f() OWNER TO admin;
CREATE TABLE public.a (id integer NOT NULL, n character varying(5) DEFAULT 'x'::character varying);
ALTER TABLE public.a OWNER TO admin;
CREATE SEQUENCE public.a_id_seq AS integer START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1;
ALTER SEQUENCE public.a_id_seq OWNED BY public.a.id;
CREATE UNLOGGED TABLE other.b (a_id integer, k text, PRIMARY KEY (k));
ALTER TABLE ONLY public.a ALTER COLUMN id SET DEFAULT nextval('public.a_id_seq'::regclass);
ALTER TABLE ONLY public.a ADD CONSTRAINT a_pkey PRIMARY KEY (id);
ALTER TABLE ONLY other.b ADD CONSTRAINT b_a FOREIGN KEY (a_id) REFERENCES public.a(id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
CREATE INDEX a_low ON public.a USING btree (lower((n)::text) DESC, id) INCLUDE (n) WHERE ((id > 0) AND (n IS NOT NULL));
CREATE INDEX a_gin ON public.a USING gin (n public.gin_trgm_ops);
CREATE VIEW public.v AS
 SELECT a.id FROM public.a;
CREATE MATERIALIZED VIEW public.mv AS SELECT 1 AS one WITH NO DATA;
CREATE TRIGGER t BEFORE INSERT ON public.a FOR EACH ROW EXECUTE FUNCTION public.f();
COMMENT ON COLUMN public.a.n IS 'It''s';
COMMENT ON TABLE other.b IS 'Other';
GRANT SELECT ON TABLE public.a TO reader;
\\unrestrict abc
`,
  );
  expect(problems).toEqual([]);
  expect(schema.tables.map(({ name }) => name)).toEqual(['a', 'other.b']);
  const [a, b] = schema.tables;
  expect(a).toMatchObject({
    primaryKey: { name: 'a_pkey', columns: ['id'] },
    columns: [
      { name: 'id', autoIncrement: true, default: "nextval('public.a_id_seq'::regclass)" },
      { name: 'n', comment: "It's" },
    ],
    indexes: [
      {
        name: 'a_low',
        parts: [{ expression: 'lower((n)::text)', descending: true }, { column: 'id' }],
        included: ['n'],
        where: '(id > 0) AND (n IS NOT NULL)',
      },
      {
        name: 'a_gin',
        method: 'gin',
        parts: [{ column: 'n', operatorClass: 'public.gin_trgm_ops' }],
      },
    ],
  });
  expect(b).toMatchObject({
    comment: 'Other',
    options: { persistence: 'unlogged' },
    foreignKeys: [{ name: 'b_a', table: 'a', onDelete: 'cascade', deferrable: 'deferred' }],
  });
  expect(schema.views).toMatchObject([
    { name: 'v', kind: 'view', definition: 'SELECT a.id FROM public.a' },
    { name: 'mv', kind: 'materialized_view', definition: 'SELECT 1 AS one' },
  ]);
  expect(schema.externalObjects).toEqual({ extensions: ['pg_trgm'], routines: ['f'], types: [] });
  expect(warnings).toEqual([
    'Line 10: the function public.f is left out.',
    'Line 24: WITH NO DATA of the view mv is left out.',
    'Line 25: the trigger t is left out.',
    'Line 28: the privilege GRANT SELECT ON TABLE public.a TO reader is left out.',
    "Owners are left out: the objects of admin are created with the studio's login as owner.",
  ]);
});

test('the search path of old dumps determines the schema of tables', async () => {
  const { tables } = await readSchema(
    'SET search_path = sales, pg_catalog; CREATE TABLE a (b int); SET search_path = public; CREATE TABLE c (d int);',
  );
  expect(tables.map(({ name }) => name)).toEqual(['sales.a', 'c']);
});

test('partitions are merged into their table', async () => {
  const { schema, warnings, problems } = await read(
    'postgres',
    `
    CREATE TABLE a (id int) PARTITION BY RANGE (id);
    CREATE TABLE a1 PARTITION OF a FOR VALUES FROM (1) TO (2);
    CREATE TABLE a2 (id int);
    ALTER TABLE ONLY a ATTACH PARTITION a2 FOR VALUES FROM (2) TO (3);
    ALTER TABLE ONLY a1 ADD CONSTRAINT p PRIMARY KEY (id);
    CREATE INDEX i ON a1 (id);`,
  );
  expect(problems).toEqual([]);
  expect(schema.tables.map(({ name }) => name)).toEqual(['a']);
  expect(warnings).toEqual([
    'Line 2: a: it is one table, without partitions.',
    'Line 3: the partition a1 becomes part of a, without the primary key (id), the index i.',
  ]);
});

test('quoted names are case-sensitive, and errors have the position of the parser', async () => {
  const { tables } = await readSchema('CREATE TABLE "Users" (a int); CREATE TABLE users (b int);');
  expect(tables.map(({ name }) => name)).toEqual(['Users', 'users']);
  const { problems } = await read(
    'postgres',
    "SELECT 1;\nCREATE TABLE é (a text DEFAULT '😀',, b int)",
  );
  expect(problems).toEqual([
    { code: 'parse_failed', message: '"," is not expected here.', line: 2, column: 37 },
  ]);
});
