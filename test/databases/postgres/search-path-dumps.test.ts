/** Dumps of databases whose sessions have a search path of their own. */
import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTestDatabase, usePostgres } from '../../servers/postgres.ts';
import { dumpOf } from '../exporting.ts';
import { importDumpFile } from '../importing.ts';
import { onNewDatabase } from '../on-new-database.ts';
import { postgresUnderTest } from '../kit/databases-under-test/postgres.ts';
import type { TestDatabase } from '../../servers/postgres.ts';

// Skips the tests if there is no server.
usePostgres();

const onNew = (work: (database: TestDatabase) => Promise<void>): Promise<void> =>
  onNewDatabase(createTestDatabase, work);

const schemas = ['app', '"Odd ""s"', 'public'];
const path = fc.shuffledSubarray([...schemas, '"$user"', 'missing'], { minLength: 1 });
const schema = fc.constantFrom(...schemas);
const homes = fc.record({ type: schema, routine: schema, owner: schema, member: schema, view: schema }); // prettier-ignore

/** Relations that refer to each other, each in its schema. */
const structure = ({ type, routine, owner, member, view }: Readonly<Record<string, string>>) => `
  CREATE TYPE ${type}.mood AS ENUM ('glad', 'sad');
  CREATE FUNCTION ${routine}.twice(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1 * 2';
  CREATE TABLE ${owner}.owners (id serial PRIMARY KEY, mood ${type}.mood DEFAULT 'glad', n int DEFAULT ${routine}.twice(4) CHECK (${routine}.twice(n) > 0));
  CREATE TABLE ${member}.members (id serial PRIMARY KEY, owner_id int REFERENCES ${owner}.owners);
  CREATE INDEX twice_id ON ${member}.members (${routine}.twice(id)) WHERE ${routine}.twice(owner_id) < 9;
  CREATE FUNCTION ${routine}.changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.n := 1; RETURN NEW; END $$;
  CREATE TRIGGER changed BEFORE UPDATE ON ${owner}.owners FOR EACH ROW EXECUTE FUNCTION ${routine}.changed();
  INSERT INTO ${owner}.owners DEFAULT VALUES;
  INSERT INTO ${member}.members (owner_id) VALUES (1);
  CREATE VIEW ${view}.pairs AS SELECT m.id, o.mood, 'sad'::${type}.mood AS other, ${routine}.twice(o.n) AS n FROM ${owner}.owners o JOIN ${member}.members m ON m.owner_id = o.id;
  CREATE MATERIALIZED VIEW ${view}.counts AS SELECT count(*) AS n FROM ${view}.pairs;`;

/** Everything with its definition, as any session sees it. */
const found = `SELECT set_config('search_path', '', false);
  SELECT c.oid::regclass::text AS name, c.relkind, COALESCE(pg_get_viewdef(c.oid), '') AS text FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname IN ('app', 'Odd "s', 'public') AND c.relkind IN ('r', 'v', 'm', 'S')
  UNION ALL SELECT adrelid::regclass::text, 'd', pg_get_expr(adbin, adrelid) FROM pg_attrdef
  UNION ALL SELECT conname, 'c', pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid <> 0
  UNION ALL SELECT indexrelid::regclass::text, 'i', pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid > 16383
  UNION ALL SELECT tgname, 't', pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT t.oid::regtype::text, 'e', string_agg(e.enumlabel, ',' ORDER BY e.enumsortorder) FROM pg_type t JOIN pg_enum e ON e.enumtypid = t.oid GROUP BY 1
  UNION ALL SELECT 'routines', 'f', string_agg(p.oid::regprocedure::text, ', ' ORDER BY 1) FROM pg_proc p WHERE p.oid > 16383
  ORDER BY 1, 2, 3`;

test('a dump creates the same in a database with the default search path', async () => {
  await fc.assert(
    fc.asyncProperty(path, homes, async (names, places) => {
      await onNew(async (database) => {
        await database.query(
          `CREATE SCHEMA app; CREATE SCHEMA "Odd ""s"; ${structure(places)}; ALTER DATABASE ${database.name} SET search_path = ${names.join(', ')}`,
        );
        const expected = await database.query(found);
        const { text } = await dumpOf(database.url);
        expect(text).not.toContain('-- Left out');
        await onNew(async (copy) => {
          const [command, ...args] = postgresUnderTest.client(copy.url);
          execFileSync(command, args, { input: text, stdio: 'pipe' });
          expect(await copy.query(found)).toEqual(expected);
        });
        await onNew(async (copy) => {
          expect(await importDumpFile(copy.url, text)).toMatchObject({ warnings: [] });
          expect(await copy.query(found)).toEqual(expected);
        });
      });
    }),
    { numRuns: 20 },
  );
}, 240_000);

test('a dump comes back into a database with the same search path', async () => {
  const places = { type: 'app', routine: 'app', owner: 'app', member: '"Odd ""s"', view: 'app' };
  const search = '?search_path=app,%22Odd%20%22%22s%22,public';
  await onNew(async (database) => {
    await database.query(`CREATE SCHEMA app; CREATE SCHEMA "Odd ""s"; ${structure(places)}`);
    const { text } = await dumpOf(database.urlWith({ search }));
    await onNew(async (copy) => {
      await copy.query('CREATE SCHEMA app; CREATE SCHEMA "Odd ""s"');
      await importDumpFile(copy.urlWith({ search }), text);
      expect(await copy.query(found)).toEqual(await database.query(found));
      const again = await dumpOf(copy.urlWith({ search }));
      expect(again.text.replace(copy.name, database.name)).toBe(text);
    });
  });
});

const oldDump = `CREATE SCHEMA sales; CREATE TABLE t (id int); SET search_path = sales, public;
  CREATE TABLE t (id int, "Ünits" int); CREATE TABLE only_here (id int);
  INSERT INTO t VALUES (1, 2); INSERT INTO only_here VALUES (1);
  CREATE VIEW v AS SELECT '😀' AS é, a.*, b.id AS other FROM ONLY t AS a JOIN only_here b USING (id), (SELECT 1 AS x FROM public.t) s;
  CREATE VIEW w AS WITH t AS (SELECT 7 AS id) SELECT t.id, (SELECT count(*) FROM v) AS n FROM t;
  CREATE MATERIALIZED VIEW m AS SELECT v.id FROM v, only_here;`;

test('views of a script with a search path mean what they mean in its session', async () => {
  await onNew(async (reference) => {
    await reference.query(oldDump);
    await onNew(async (copy) => {
      expect(await importDumpFile(copy.url, oldDump, { dialect: 'postgres' })).toMatchObject({ warnings: [] }); // prettier-ignore
      expect(await copy.query(found)).toEqual(await reference.query(found));
    });
  });
});

/** As a dump writes it, with the schema of each name, or as a script that uses the path of the session. */
const scriptOf = (
  { type, owner, member, view }: Readonly<Record<string, string>>,
  isQualified: boolean,
) => {
  const inSchema = (name: string | undefined): string => (isQualified ? `${name}.` : '');
  return `
  ${isQualified ? `SELECT pg_catalog.set_config('search_path', '', false);` : ''}
  CREATE TYPE ${inSchema(type)}mood AS ENUM ('glad', 'sad');
  CREATE SEQUENCE ${inSchema(owner)}numbers;
  CREATE TABLE ${inSchema(owner)}owners (id int PRIMARY KEY, mood ${inSchema(type)}mood DEFAULT 'glad', n int DEFAULT nextval('${inSchema(owner)}numbers'));
  CREATE TABLE ${inSchema(member)}members (id int PRIMARY KEY, owner_id int REFERENCES ${inSchema(owner)}owners);
  CREATE INDEX by_owner ON ${inSchema(member)}members (owner_id);
  INSERT INTO ${inSchema(owner)}owners (id) VALUES (1);
  INSERT INTO ${inSchema(member)}members (id, owner_id) VALUES (2, 1);
  CREATE VIEW ${inSchema(view)}pairs AS SELECT m.id, o.mood FROM ${inSchema(owner)}owners o JOIN ${inSchema(member)}members m ON m.owner_id = o.id;`;
};

test('a script creates in a database with a search path what its client creates there', async () => {
  const names = fc.shuffledSubarray(schemas, { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(names, homes, fc.boolean(), async (searched, places, isQualified) => {
      const script = scriptOf(places, isQualified);
      const prepared = (database: TestDatabase): Promise<unknown> =>
        database.query(
          `CREATE SCHEMA app; CREATE SCHEMA "Odd ""s"; ALTER DATABASE ${database.name} SET search_path = ${searched.join(', ')}`,
        );
      await onNew(async (expected) => {
        await prepared(expected);
        await expected.query(
          `SELECT set_config('search_path', $$${searched.join(', ')}$$, false); ${script}`,
        );
        await onNew(async (database) => {
          await prepared(database);
          const { warnings } = await importDumpFile(database.url, script, { dialect: 'postgres' });
          // In another schema, the sequence stays on its own.
          expect(warnings.filter((text) => !text.includes('becomes part of'))).toEqual([]);
          expect(await database.query(found)).toEqual(await expected.query(found));
        });
      });
    }),
    { numRuns: 5 },
  );
});
