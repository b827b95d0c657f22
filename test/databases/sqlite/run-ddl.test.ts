import { describe, expect, test } from 'vitest';

import { readDdl as read, readTable as tableOf } from '../../sql/ddl/read-ddl.ts';

const readTable = (text: string): ReturnType<typeof tableOf> => tableOf('sqlite', text);

test('SQLite itself determines what a script creates', async () => {
  const table = await readTable(`
    CREATE TABLE a (id INTEGER PRIMARY KEY, b TEXT COLLATE NOCASE DEFAULT ('x' || 'y'));
    ALTER TABLE a ADD COLUMN c AS (b || '!') VIRTUAL;
    ALTER TABLE a RENAME COLUMN b TO d;
    CREATE UNIQUE INDEX i ON a (lower(d)) WHERE d IS NOT NULL;`);
  expect(table.columns).toMatchObject([
    { name: 'id', autoIncrement: true },
    { name: 'd', collation: 'NOCASE', default: "'x' || 'y'" },
    { name: 'c', generated: { expression: "d || '!'", stored: false } },
  ]);
  expect(table.indexes).toMatchObject([
    { name: 'i', unique: true, parts: [{ expression: 'lower(d)' }], where: 'd IS NOT NULL' },
  ]);
});

describe('an error', () => {
  test.each([
    ['CREATE TABLE a (b int,\n  c text,, d int)', '"," is not expected here.', 2, 10],
    ['CREATE TABLE a (b', 'The statement ends before it is complete.', 1, 18],
    ['CREATE TABLE a (b int, b int)', 'Duplicate column name: b.', 1, 1],
    ['CREATE TABLE a (b int default 1 2)', '"2" is not expected here.', 1, 33],
  ])('in %s', async (text, message, line, column) => {
    const { problems } = await read('sqlite', text);
    expect(problems).toEqual([{ code: 'parse_failed', message, line, column }]);
  });
});

test('a type name may have several words', async () => {
  const { problems } = await read('sqlite', 'CREATE TABLE a (b int\n  c check (1), d foo bar baz)');
  expect(problems).toEqual([]);
});

describe('statements that access other files are rejected', () => {
  test.each([
    ["ATTACH 'x.db' AS y"],
    ["VACUUM INTO 'x.db'"],
    ["SELECT load_extension('x')"],
    ["CREATE TABLE t (a DEFAULT (readfile('/etc/passwd')))"],
    ['PRAGMA writable_schema = ON'],
    ['PRAGMA main.writable_schema(1)'],
  ])('%s', async (text) => {
    const { problems, schema } = await read('sqlite', `${text};\nCREATE TABLE a (b)`);
    expect(problems).toEqual([
      expect.objectContaining({ code: 'statement_refused', line: 1, column: 1 }),
    ]);
    expect(schema.tables.map(({ name }) => name)).toContain('a');
  });
});

test('internal tables of SQLite, which .schema lists, are skipped', async () => {
  const { warnings, problems, schema } = await read(
    'sqlite',
    `CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT);
    CREATE TABLE sqlite_sequence(name,seq);
    CREATE TABLE IF NOT EXISTS "sqlite_stat1"(tbl,idx,stat);
    CREATE TABLE sqlite_other (a);`,
  );
  expect(problems).toEqual([expect.objectContaining({ code: 'parse_failed', line: 4 })]);
  expect(warnings).toEqual([]);
  expect(schema.tables.map(({ name }) => name)).toEqual(['a']);
});

test('settings are ignored, and objects that are not tables are reported', async () => {
  const { warnings, problems, schema } = await read(
    'sqlite',
    `
    PRAGMA foreign_keys=OFF; BEGIN TRANSACTION;
    CREATE VIRTUAL TABLE f USING dbstat;
    CREATE TEMP TABLE tmp (a);
    CREATE TABLE a (b);
    COMMIT;`,
  );
  expect(problems).toEqual([]);
  expect(warnings).toEqual([
    'Line 3: the virtual table f is left out.',
    'Line 4: the temporary table tmp is left out.',
  ]);
  expect(schema.tables.map(({ name }) => name)).toEqual(['a']);
});
