/** What a dump loses because partitions, composite types and domains do not cross: each loss is named. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTestDatabase, usePostgres } from '../../servers/postgres.ts';
import { readDdl as read } from '../../sql/ddl/read-ddl.ts';
import { importDumpFile } from '../importing.ts';
import { onNewDatabase } from '../on-new-database.ts';

// Skips the tests if there is no server.
usePostgres();

/** Statements after which the partition has something of its own, and its name in the warning. */
const ownParts = [
  ['ALTER TABLE part ALTER COLUMN v SET DEFAULT 7;', 'the default of v'],
  ['ALTER TABLE part ALTER COLUMN v SET NOT NULL;', 'NOT NULL of v'],
  [`COMMENT ON COLUMN part.v IS 'x';`, 'the comment on v'],
  ['ALTER TABLE part ADD PRIMARY KEY (id);', 'the primary key (id)'],
  ['ALTER TABLE part ADD CONSTRAINT u UNIQUE (id);', 'the unique constraint u'],
  ['CREATE INDEX i ON part (id, v) WHERE v > 1;', 'the index i'],
  [
    `CREATE INDEX at ON part (v); ALTER INDEX av ATTACH PARTITION at; COMMENT ON INDEX at IS 'x';`,
    'the comment on the index at',
  ],
  ['ALTER TABLE part ADD CONSTRAINT c CHECK (v > 0);', 'the check c'],
  ['ALTER TABLE part ADD CONSTRAINT c CHECK (v > 0) NOT VALID;', 'the check c'],
  ['ALTER TABLE part ADD CONSTRAINT f FOREIGN KEY (v) REFERENCES r (id);', 'the foreign key f'],
  ['ALTER TABLE part ADD EXCLUDE USING gist (id WITH =);', 'its exclusion constraints'],
  [`COMMENT ON TABLE part IS 'x';`, 'its comment'],
] as const;

test.each(['attached', 'created'])(
  'what only a partition has is named, if it is %s as one',
  async (mode) => {
    const created =
      mode === 'attached'
        ? 'CREATE TABLE part (id int, v int, CHECK (id > 0)); ALTER TABLE a ATTACH PARTITION part FOR VALUES IN (1);'
        : 'CREATE TABLE part PARTITION OF a FOR VALUES IN (1);';
    const before = `CREATE TABLE r (id int PRIMARY KEY);
CREATE TABLE a (id int, v int, CHECK (id > 0)) PARTITION BY LIST (id); CREATE INDEX av ON a (v);`;
    await fc.assert(
      fc.asyncProperty(
        fc
          .subarray([...ownParts], { minLength: 0 })
          .filter((parts) => new Set(parts.map(([, name]) => name)).size === parts.length),
        async (parts) => {
          const text = `${before} ${created}\n${parts.map(([sql]) => sql).join('\n')}`;
          const { schema, warnings, problems } = await read('postgres', text);
          expect(problems).toEqual([]);
          expect(schema.tables.map(({ name }) => name)).toEqual(['r', 'a']);
          const own = warnings.filter((warning) => warning.includes('the partition part'));
          const [, list = ''] = /becomes part of a, without (.*)\.$/.exec(own[0] ?? '') ?? [];
          expect(list === '' ? [] : list.split(', ').toSorted()).toEqual(
            parts.map(([, name]) => name).toSorted(),
          );
        },
      ),
      { numRuns: 40 },
    );
  },
);

test('a foreign key to a partition is left out by name', async () => {
  const { schema, warnings } = await read(
    'postgres',
    `CREATE TABLE a (id int) PARTITION BY LIST (id);
    CREATE TABLE a1 PARTITION OF a (PRIMARY KEY (id), CONSTRAINT c CHECK (id > 0), id DEFAULT 1) FOR VALUES IN (1);
    CREATE TABLE b (id int, CONSTRAINT k FOREIGN KEY (id) REFERENCES a1);`,
  );
  expect(schema.tables.map(({ foreignKeys }) => foreignKeys)).toEqual([[], []]);
  expect(warnings.slice(1)).toEqual([
    'Line 2: the partition a1 becomes part of a, without the default of id, the primary key (id), the check c.',
    'b: the foreign key k is left out: it references the partition a1, which becomes part of a.',
  ]);
});

test('a table of a composite type has its columns', async () => {
  const { schema, warnings } = await read(
    'postgres',
    `CREATE TYPE ty AS (id int, v varchar(10));
    CREATE TABLE t OF ty (id WITH OPTIONS NOT NULL DEFAULT 5, CHECK (v <> ''));
    CREATE TABLE u OF missing;`,
  );
  expect(schema.tables[0]?.columns).toMatchObject([
    { name: 'id', nativeType: 'integer', nullable: false, default: '5' },
    { name: 'v', nativeType: 'character varying(10)', nullable: true },
  ]);
  expect(schema.tables[0]?.checks).toMatchObject([{ expression: "v <> ''" }]);
  expect(warnings).toEqual([
    'Line 1: the type ty is left out.',
    'Line 2: t: it has the columns of the type ty, which is left out.',
    'Line 3: the table u, whose type missing the file does not create, is left out.',
  ]);
});

test('domains over domains have the clauses of both, and arrays of them no checks', async () => {
  const { schema, warnings } = await read(
    'postgres',
    `CREATE DOMAIN d AS int DEFAULT 3 NOT NULL CHECK (VALUE > 0);
    CREATE DOMAIN e AS d CHECK (VALUE < 9);
    CREATE TABLE t (a e, b e[]);`,
  );
  expect(schema.tables[0]).toMatchObject({
    columns: [
      { nativeType: 'integer', nullable: false, default: '3' },
      { nativeType: 'integer[]', nullable: true },
    ],
    checks: [{ expression: '"a" > 0' }, { expression: '"a" < 9' }],
  });
  expect(schema.tables[0]?.columns[1]).not.toHaveProperty('default');
  expect(warnings.at(-1)).toBe(
    'Line 3: t: the checks of the domain e are left out for the array b.',
  );
});

test('collations of the file are left out, with what uses them', async () => {
  const { schema, warnings } = await read(
    'postgres',
    `CREATE COLLATION c (provider = libc, locale = 'C');
    CREATE TABLE t (a text COLLATE c, b text COLLATE "C");
    CREATE INDEX i ON t (b COLLATE public.c);`,
  );
  const [table] = schema.tables;
  expect(table?.columns.map(({ collation }) => collation)).toEqual([undefined, 'C']);
  expect(table?.indexes[0]?.parts).toEqual([{ column: 'b' }]);
  expect(warnings).toEqual([
    'Line 1: the collation c is left out.',
    't.a: the collation c is left out.',
    'the index i: the collation c is left out.',
  ]);
});

test('a dump creates schemas with nothing in them', async () => {
  const text = 'CREATE SCHEMA s; CREATE SCHEMA u; CREATE TABLE u.t (a int);';
  await onNewDatabase(createTestDatabase, async (database) => {
    const { warnings } = await importDumpFile(database.url, text, { dialect: 'postgres' });
    expect(warnings).toEqual([]);
    expect(
      await database.query(
        `SELECT nspname FROM pg_namespace WHERE nspname IN ('s', 'u') ORDER BY 1`,
      ),
    ).toEqual([{ nspname: 's' }, { nspname: 'u' }]);
  });
});

test('a table that inherits does not get the checks with NO INHERIT', async () => {
  const { schema } = await read(
    'postgres',
    `CREATE TABLE p (a int, CONSTRAINT c CHECK (a > 0), CONSTRAINT n CHECK (a > 1) NO INHERIT);
    ALTER TABLE p ADD CONSTRAINT m CHECK (a > 2) NO INHERIT;
    CREATE TABLE q () INHERITS (p);`,
  );
  expect(schema.tables.map(({ checks }) => checks.map(({ name }) => name))).toEqual([
    ['c', 'n', 'm'],
    ['c'],
  ]);
});
