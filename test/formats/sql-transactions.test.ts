/**
 * Scripts with rows in transactions: rows that SQLite's own client commits are imported, and
 * scripts whose rows it would roll back are rejected.
 */
import Database from 'better-sqlite3';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readSql } from '../../src/formats/sql/read.ts';
import { readAll, sourceOf } from './run-reader.ts';
import { databaseKinds } from '../databases/registered-databases.ts';

const dialectChoices = databaseKinds.map(({ dialect, language, dataScript }) => ({
  name: dialect.name,
  language,
  dataScript,
}));

/** The number of imported rows. Undefined if the script is rejected. */
async function imported(script: string, dialect: string): Promise<number | undefined> {
  const source = sourceOf(script, { name: 'f.sql', chunkBytes: 64 });
  const options = { dialect, ownDialect: dialect, ddl: 'refuse', choices: dialectChoices } as const;
  const { rows, failure } = await readAll('any', (context) => readSql(source, context, options));
  return failure === undefined ? rows.length : undefined;
}

function countBySqlite(script: string): number {
  const db = new Database(':memory:');
  try {
    db.exec(`CREATE TABLE t (a);\n${script}`);
    // Closing the connection rolls back an open transaction.
    if (db.inTransaction) db.exec('ROLLBACK');
    return db.prepare('SELECT count(*) FROM t').pluck().get() as number;
  } finally {
    db.close();
  }
}

const parts = fc.constantFrom(
  'INSERT INTO t (a) VALUES (1), (2);',
  'BEGIN; INSERT INTO t (a) VALUES (3); COMMIT;',
  'BEGIN TRANSACTION; INSERT INTO t (a) VALUES (4); END;',
  'PRAGMA foreign_keys = OFF;',
  'SAVEPOINT a; INSERT INTO t (a) VALUES (6); RELEASE a;',
  'BEGIN; SAVEPOINT a; INSERT INTO t (a) VALUES (7); RELEASE SAVEPOINT a; COMMIT;',
);
const ends = fc.constantFrom(
  '',
  'SAVEPOINT b; INSERT INTO t (a) VALUES (8);',
  'BEGIN;',
  'BEGIN IMMEDIATE; INSERT INTO t (a) VALUES (5);',
);

test('rows of a script in SQLite are all imported, or the script is rejected if its last transaction is never committed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(parts, { maxLength: 5 }), ends, async (before, end) => {
      const script = `${[...before, end].join('\n')}\n`;
      const written = script.match(/\(\d\)/g)?.length ?? 0;
      const count = countBySqlite(script);
      expect(await imported(script, 'sqlite')).toBe(count === written ? count : undefined);
    }),
    { numRuns: 60 },
  );
});

test.each([
  ['SET autocommit=0; INSERT INTO t (a) VALUES (1);', undefined],
  ['SET autocommit=0; INSERT INTO t (a) VALUES (1); COMMIT;', 1],
  ['SET @@session.autocommit = OFF; INSERT INTO t (a) VALUES (1); SET autocommit=1;', 1],
  [
    'SET autocommit=0; INSERT INTO t (a) VALUES (1); COMMIT; INSERT INTO t (a) VALUES (2);',
    undefined,
  ],
  ['LOCK TABLES t WRITE; SET autocommit=0; INSERT INTO t (a) VALUES (1); UNLOCK TABLES;', 1],
  ['/*!40101 SET @OLD=@@autocommit, AUTOCOMMIT=0 */; INSERT INTO t (a) VALUES (1);', undefined],
  ['BEGIN; INSERT INTO t (a) VALUES (1); COMMIT AND CHAIN; INSERT INTO t (a) VALUES (2);', undefined], // prettier-ignore
  ['BEGIN; INSERT INTO t (a) VALUES (1); COMMIT AND NO CHAIN; INSERT INTO t (a) VALUES (2);', 2],
  ['DO SETVAL(`s`, 5, 0); INSERT INTO t (a) VALUES (1);', 1],
  ['DO SLEEP(0); INSERT INTO t (a) VALUES (1);', undefined],
])('a script in MySQL: %s', async (script, rows) => {
  expect(await imported(script, 'mysql')).toBe(rows);
});

test.each([
  ['\\set AUTOCOMMIT off\nINSERT INTO t (a) VALUES (1);', undefined],
  ['\\set AUTOCOMMIT on\nINSERT INTO t (a) VALUES (1);', 1],
  ['\\set ON_ERROR_STOP on\nINSERT INTO t (a) VALUES (1);', 1],
])('a script for psql: %j', async (script, rows) => {
  expect(await imported(script, 'postgres')).toBe(rows);
});
