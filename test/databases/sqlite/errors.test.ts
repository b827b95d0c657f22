import { describe, expect, test } from 'vitest';
import { failure, makeDatabase, run } from './fixture.ts';
import type { StudioError } from '../../../src/model/errors.ts';
import type { Query } from '../../../src/model/database.ts';

const setup = `CREATE TABLE parent (id INTEGER PRIMARY KEY);
  CREATE TABLE t (id INTEGER PRIMARY KEY, email TEXT UNIQUE, a INT NOT NULL DEFAULT 1, b INT CONSTRAINT positive CHECK (b > 0), c INT CHECK (c < 100),
    parent_id INT REFERENCES parent (id) ON DELETE RESTRICT, UNIQUE (a, b));
  CREATE UNIQUE INDEX "lower, email" ON t (lower(email));
  CREATE TABLE s (v INT, w TEXT) STRICT;
  CREATE TABLE w (k TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TRIGGER guard BEFORE DELETE ON t BEGIN SELECT RAISE(ABORT, 'rows of t stay'); END;
  INSERT INTO parent VALUES (1); INSERT INTO t VALUES (1, 'a@b', 1, 1, NULL, 1); INSERT INTO w VALUES ('x');
  CREATE TABLE u (v UNIQUE); INSERT INTO u VALUES ('a')`;

async function fail(text: string, ...params: Query['params']): Promise<StudioError | undefined> {
  const database = makeDatabase(setup);
  return failure(database, run(database, text, ...params));
}

describe('an error of SQLite', () => {
  test.each<readonly [string, string, Readonly<Record<string, unknown>>]>([
    [
      `INSERT INTO t (id, email) VALUES (1, 'c@d')`,
      'unique_violation',
      { table: 't', columns: ['id'] },
    ],
    [`INSERT INTO u VALUES ('a')`, 'unique_violation', { table: 'u', columns: ['v'] }],
    ['INSERT INTO t (a, b) VALUES (1, 1)', 'unique_violation', { table: 't', columns: ['a', 'b'] }],
    ['INSERT INTO t (id) VALUES (1)', 'unique_violation', { table: 't', columns: ['id'] }],
    [`INSERT INTO t (email) VALUES ('A@B')`, 'unique_violation', { constraint: 'lower, email' }],
    [`INSERT INTO w VALUES ('x')`, 'unique_violation', { table: 'w', columns: ['k'] }],
    ['INSERT INTO t (parent_id) VALUES (9)', 'foreign_key_violation', {}],
    ['DELETE FROM parent', 'foreign_key_violation', {}],
    [
      'INSERT INTO t (a) VALUES (NULL)',
      'not_null_violation',
      { table: 't', columns: ['a'], column: 'a' },
    ],
    [
      'INSERT INTO w VALUES (NULL)',
      'not_null_violation',
      { table: 'w', columns: ['k'], column: 'k' },
    ],
    ['INSERT INTO t (b) VALUES (0)', 'check_violation', { constraint: 'positive' }],
    ['INSERT INTO t (c) VALUES (100)', 'check_violation', { constraint: 'c < 100' }],
    [
      `INSERT INTO s (v) VALUES ('x')`,
      'invalid_value',
      { table: 's', columns: ['v'], column: 'v' },
    ],
    [`INSERT INTO t (id) VALUES ('x')`, 'invalid_value', { of: 'primary_key' }],
    ['DELETE FROM t', 'check_violation', {}],
    [`SELECT load_extension('x')`, '', {}],
    [`UPDATE sqlite_schema SET sql = ''`, '', {}],
    ['SELECT 1; SELECT 2', 'invalid_parameter', {}],
    ['-- nothing', 'invalid_parameter', {}],
    ['SELECT ?', 'invalid_parameter', {}],
    ['SELECT ?2', 'invalid_parameter', {}],
    [`SELECT 1${' AND 1'.repeat(2000)}`, 'invalid_parameter', {}],
    [`SELECT 1 ORDER BY 1${', 1'.repeat(3000)}`, 'invalid_parameter', {}],
  ])('%s is %s', async (text, code, details) => {
    const error = await fail(text);
    expect(error?.code ?? '').toBe(code);
    if (error === undefined) return;
    expect(error.details).toEqual(details);
    expect(error.message).toMatch(/^[A-Z].*[.a-z]$/);
  });

  test('contains the message of a trigger', async () => {
    expect((await fail('DELETE FROM t'))?.message).toBe(
      'A trigger rejected the row: rows of t stay.',
    );
  });

  test('of a value that SQLite cannot hold is invalid_value', async () => {
    expect((await fail('SELECT ?', 2n ** 63n))?.code).toBe('invalid_value');
    expect((await fail('SELECT ?', 'half \ud800'))?.code).toBe('invalid_value');
    expect((await fail('SELECT zeroblob(2000000000)'))?.code).toBe('invalid_value');
  });

  test('says whether the structure has changed', async () => {
    const database = makeDatabase(setup);
    const caught = async (text: string): Promise<unknown> =>
      run(database, text).catch((error: unknown) => error);
    const { dialect } = database;
    for (const text of [
      'SELECT * FROM gone',
      'SELECT gone FROM t',
      'INSERT INTO t (gone) VALUES (1)',
      'UPDATE t SET gone = 1',
    ]) {
      const error = await caught(text);
      expect(dialect.isStructureError(error), text).toBe(true);
      expect(dialect.messageOf(error), text).toContain('gone');
    }
    for (const text of ['SELEC', `INSERT INTO t (id) VALUES (1)`, 'SELECT ?']) {
      expect(dialect.isStructureError(await caught(text)), text).toBe(false);
    }
    expect(dialect.messageOf(new Error('no such table: t'))).toBeUndefined();
    expect(dialect.translateError(new Error('a defect'))).toBeUndefined();
    expect(dialect.translateError(await caught('SELEC'))).toBeUndefined();
  });
});
