import { describe, expect, test } from 'vitest';
import {
  readIndexDdl,
  readTableDdl,
  readViewDdl,
  readVirtualDdl,
} from '../../../src/databases/sqlite/ddl/read-ddl.ts';

describe('CREATE TABLE', () => {
  test('returns checks with their names, of columns and of the table, with or without commas between them', () => {
    const { checks } = readTableDdl(`CREATE TABLE "t(1" (
      a INT CONSTRAINT positive CHECK (a > 0) CHECK(a < (10)), -- CHECK (no)
      "check" TEXT DEFAULT 'CHECK (x)' CONSTRAINT nn NOT NULL CHECK ( "check" <> ')' ),
      CONSTRAINT "a ""b""" CHECK (a IN (1, 2)) CHECK (/* inner */ a) CONSTRAINT [last one] CHECK (1))`);
    expect(checks).toEqual([
      { name: 'positive', expression: 'a > 0' },
      { expression: 'a < (10)' },
      { expression: `"check" <> ')'` },
      { name: 'a "b"', expression: 'a IN (1, 2)' },
      { expression: 'a' },
      { name: 'last one', expression: '1' },
    ]);
  });

  test('returns the names of keys, and AUTOINCREMENT', () => {
    const ddl =
      readTableDdl(`CREATE TABLE main.t (id INTEGER CONSTRAINT pk PRIMARY KEY ASC ON CONFLICT FAIL AUTOINCREMENT,
      a CONSTRAINT ua UNIQUE, b UNIQUE, CONSTRAINT uab UNIQUE (a COLLATE nocase, [b] DESC) ON CONFLICT IGNORE)`);
    expect(ddl.primaryKeyName).toBe('pk');
    expect(ddl.autoIncrement).toBe(true);
    expect(ddl.uniques).toEqual([
      { name: 'ua', columns: ['a'] },
      { columns: ['b'] },
      { name: 'uab', columns: ['a', 'b'] },
    ]);
    expect(
      readTableDdl(`CREATE TABLE t ("autoincrement" TEXT, CONSTRAINT p PRIMARY KEY (x, y))`),
    ).toMatchObject({
      primaryKeyName: 'p',
      autoIncrement: false,
    });
  });

  test('returns foreign keys in order, with names and deferrability', () => {
    const { foreignKeys } = readTableDdl(`CREATE TABLE t (
      a INT CONSTRAINT fa REFERENCES u (id) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
      b INT REFERENCES "u" NOT DEFERRABLE INITIALLY IMMEDIATE REFERENCES w DEFERRABLE,
      CONSTRAINT fab FOREIGN KEY (a, b) REFERENCES v(x, y) MATCH FULL ON UPDATE CASCADE DEFERRABLE INITIALLY IMMEDIATE
      FOREIGN KEY (b) REFERENCES v)`);
    expect(foreignKeys).toEqual([
      { name: 'fa', columns: ['a'], deferrable: 'deferred' },
      { columns: ['b'] },
      { columns: ['b'], deferrable: 'immediate' },
      { name: 'fab', columns: ['a', 'b'], deferrable: 'immediate' },
      { columns: ['b'] },
    ]);
  });

  test('does not mistake the words after ON for clauses', () => {
    const ddl =
      readTableDdl(`CREATE TABLE t (a INT NOT NULL ON CONFLICT FAIL CHECK (a) REFERENCES u ON DELETE SET DEFAULT
      ON UPDATE NO ACTION DEFERRABLE INITIALLY DEFERRED, b REFERENCES u ON UPDATE SET NULL CHECK (b) ON DELETE CASCADE COLLATE x)`);
    expect(ddl.foreignKeys).toEqual([
      { columns: ['a'], deferrable: 'deferred' },
      { columns: ['b'] },
    ]);
    expect(ddl.checks).toEqual([{ expression: 'a' }, { expression: 'b' }]);
    expect([...ddl.collations]).toEqual([['b', 'x']]);
  });

  test('returns collations and generated expressions by column', () => {
    const ddl =
      readTableDdl(`CREATE TABLE t (Name TEXT COLLATE nocase DEFAULT ('x' COLLATE rtrim), n INT DEFAULT -1 COLLATE "my coll",
      [up] TEXT GENERATED ALWAYS AS (upper(Name)) STORED, twice AS ( n * 2 ), d DEFAULT +.5e3, e DEFAULT CURRENT_TIMESTAMP)`);
    expect([...ddl.collations]).toEqual([
      ['name', 'nocase'],
      ['n', 'my coll'],
    ]);
    expect([...ddl.generated]).toEqual([
      ['up', 'upper(Name)'],
      ['twice', 'n * 2'],
    ]);
  });

  test('of unknown form returns nothing and does not fail', () => {
    for (const text of [
      '',
      'CREATE TABLE',
      'CREATE TABLE t (',
      'CREATE TABLE t (a CHECK',
      'CREATE TABLE t (a REFERENCES',
      ')(',
      'x (UNIQUE (',
    ]) {
      expect(readTableDdl(text).autoIncrement).toBe(false);
    }
  });
});

test('CREATE INDEX returns its expressions and its predicate', () => {
  expect(
    readIndexDdl(
      `CREATE UNIQUE INDEX IF NOT EXISTS main."i(" ON "t" ( lower(a) COLLATE nocase DESC, (b + 1), b, substr("c,d", 1) ) WHERE deleted_at IS NULL AND (a > 0)`,
    ),
  ).toEqual({
    expressions: ['lower(a)', 'b + 1', 'b', 'substr("c,d", 1)'],
    where: 'deleted_at IS NULL AND (a > 0)',
  });
  expect(readIndexDdl('CREATE INDEX i ON t (a)')).toEqual({ expressions: ['a'] });
});

test('CREATE VIEW returns its SELECT, with the column names of the view', () => {
  expect(readViewDdl('CREATE TEMP VIEW IF NOT EXISTS v AS\n SELECT 1 AS a -- one\n, 2')).toBe(
    'SELECT 1 AS a -- one\n, 2',
  );
  expect(readViewDdl('CREATE VIEW "as" AS WITH x AS (SELECT 1) SELECT * FROM x')).toBe(
    'WITH x AS (SELECT 1) SELECT * FROM x',
  );
  expect(readViewDdl('CREATE VIEW "v w"(a, "b") AS SELECT 1, 2')).toBe(
    'WITH "v w" (a, "b") AS (\nSELECT 1, 2\n)\nSELECT * FROM "v w"',
  );
});

test('CREATE VIRTUAL TABLE returns its module', () => {
  expect(
    readVirtualDdl('CREATE VIRTUAL TABLE t USING fts5(title, body, tokenize = "porter")'),
  ).toBe('fts5(title, body, tokenize = "porter")');
});
