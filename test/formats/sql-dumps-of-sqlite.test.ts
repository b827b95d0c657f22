/**
 * Parts of dumps by `sqlite3 .dump` besides plain rows: strings with functions, virtual tables and
 * temporary tables.
 */
import { describe, expect, test } from 'vitest';
import { databaseKinds } from '../databases/registered-databases.ts';
import { readSql } from '../../src/formats/sql/read.ts';
import { readAll, sourceOf } from './run-reader.ts';
import type { StudioError } from '../../src/model/errors.ts';
import type { ReadFile } from './run-reader.ts';

const dialectChoices = databaseKinds.map(({ dialect, language, dataScript }) => ({
  name: dialect.name,
  language,
  dataScript,
}));

function read(script: string, ownDialect = 'sqlite', dialect?: string): Promise<ReadFile> {
  const source = sourceOf(script, { name: 'f.sql' });
  return readAll('any', (context) =>
    readSql(source, context, {
      dialect,
      ownDialect,
      choices: dialectChoices,
      ddl: 'skip',
    }),
  );
}

describe('strings that the sqlite3 shell writes', () => {
  test.each([
    String.raw`INSERT INTO t (a) VALUES (replace('a\nb','\n',char(10)));`,
    String.raw`INSERT INTO t (a) VALUES (replace(replace('a\r\nb','\r',char(13)),'\n',char(10)));`,
    String.raw`INSERT INTO t (a) VALUES (unistr('a\u000ab'));`,
    // Beyond the part of the file from which the dialect is found.
    `INSERT INTO t (a) VALUES ('${'x'.repeat(70_000)}');\n${String.raw`INSERT INTO t (a) VALUES (replace('a\nb','\n',char(10)));`}`,
  ])('are read as SQL of SQLite, without a warning: %s', async (script) => {
    const { warnings, rows, failure } = await read(script);
    expect(failure).toBeUndefined();
    expect(warnings).toEqual([]);
    expect(rows.at(-1)?.values['a']).toMatch(/^a\r?\nb$/);
  });

  test('do not suppress the warning about another string that dialects read differently', async () => {
    const { warnings } = await read(
      String.raw`INSERT INTO t (a) VALUES (unistr('a\u000ab'), 'a\nb');`,
    );
    expect(warnings.join()).toContain('keeps the backslash');
  });
});

test('a virtual table whose content is not in rows is left out by name, with its shadow tables', async () => {
  const { failure, warnings, rows } = await read(`PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
PRAGMA writable_schema=ON;
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)VALUES('table','docs','docs',0,'CREATE VIRTUAL TABLE docs USING rtree(id, a, b)');
CREATE TABLE IF NOT EXISTS "docs_rowid"(rowid INTEGER PRIMARY KEY, nodeno);
INSERT INTO docs_rowid VALUES(1,1);
PRAGMA writable_schema=OFF;
COMMIT;`);
  expect(failure).toBeUndefined();
  expect(rows).toEqual([]);
  expect(warnings.join('\n')).toContain('Line 4: the virtual table docs (rtree) is left out');
});

test('other rows of the schema are rejected', async () => {
  const { failure } = await read(`BEGIN TRANSACTION;
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)VALUES('table','docs','docs',0,'CREATE VIRTUAL TABLE docs USING other(body)');
COMMIT;`);
  expect(failure).toMatchObject({ code: 'import_failed', details: { line: 2 } });
  expect((failure as StudioError).message).toContain('the virtual table "docs"');
});

test.each([
  ['sqlite', 'INSERT INTO temp.t (a) VALUES (1);'],
  ['sqlite', 'INSERT INTO "TEMP"."t" (a) VALUES (1);'],
  ['sqlite', 'CREATE TEMP TABLE t (a);\nINSERT INTO t (a) VALUES (1);'],
  ['postgres', 'INSERT INTO pg_temp.t (a) VALUES (1);'],
  ['postgres', 'CREATE TEMPORARY TABLE IF NOT EXISTS t (a int);\nINSERT INTO T (a) VALUES (1);'],
  ['postgres', 'CREATE LOCAL TEMP TABLE t (a int);\nCOPY t (a) FROM stdin;\n1\n\\.\n'],
  ['mysql', 'CREATE OR REPLACE TEMPORARY TABLE `t` (a int);\nINSERT INTO `t` (a) VALUES (1);'],
  ['sqlserver', 'INSERT INTO #t (a) VALUES (1);'],
  ['sqlserver', 'INSERT INTO tempdb..[#t] (a) VALUES (1);'],
])('%s: rows of a temporary table are rejected: %s', async (dialect, script) => {
  const { failure, rows } = await read(script, 'sqlite', dialect);
  expect(rows).toEqual([]);
  expect(failure).toMatchObject({ code: 'import_failed' });
  expect((failure as StudioError).message).toContain('a temporary table');
});

test('a temporary table that is dropped hides no other table', async () => {
  const { rows, failure } = await read(
    'CREATE TEMP TABLE t (a);\nDROP TABLE IF EXISTS t;\nINSERT INTO t (a) VALUES (1);\nINSERT INTO main.t (a) VALUES (2);',
  );
  expect(failure).toBeUndefined();
  expect(rows).toHaveLength(2);
});
