import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { countsOf, load, rowsOf } from '../kit/loading.ts';
import type { FileRows, LoadResult, LoadTestOptions } from '../kit/loading.ts';

let folder = '';
let raw: BetterSqlite3.Database;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'studio-sqlite-load-'));
  raw = new BetterSqlite3(join(folder, 'load.db'));
});

afterEach(() => {
  raw.close();
  rmSync(folder, { recursive: true });
});

function loadRows(rows: readonly FileRows[], options?: LoadTestOptions): Promise<LoadResult> {
  return load(join(folder, 'load.db'), rows, options);
}

function all(text: string): unknown[] {
  return raw.prepare(text).raw().all();
}

describe('values keep their storage class', () => {
  test('in columns without a type', async () => {
    raw.exec('CREATE TABLE t (a)');
    const values = [1n, 1, 2n ** 40n, 2 ** 40, '1', Buffer.from('1'), null, 0.5, ''];
    await loadRows([['t', values.map((a) => ({ a }))]]);
    expect(all('SELECT typeof(a), quote(a) FROM t ORDER BY rowid')).toEqual([
      ['integer', '1'],
      ['real', '1.0'],
      ['integer', '1099511627776'],
      ['real', '1099511627776.0'],
      ['text', "'1'"],
      ['blob', "X'31'"],
      ['null', 'NULL'],
      ['real', '0.5'],
      ['text', "''"],
    ]);
  });

  test('in number columns, texts of numbers become numbers', async () => {
    raw.exec('CREATE TABLE t (i INTEGER, n NUMERIC, r REAL, b BOOLEAN) ');
    await loadRows([['t', [{ i: 5_000_000_000, n: 5_000_000_000, r: 3n, b: true }]]]);
    expect(all('SELECT typeof(i), typeof(n), typeof(r), typeof(b), b FROM t')).toEqual([
      ['integer', 'integer', 'real', 'integer', 1],
    ]);
  });
});

test.each(['error', 'skip', 'update'] as const)(
  'OR IGNORE in a trigger applies in every conflict mode (%s)',
  async (onConflict) => {
    raw.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
      CREATE TABLE words (w TEXT PRIMARY KEY);
      CREATE TRIGGER note AFTER INSERT ON t BEGIN INSERT OR IGNORE INTO words VALUES (new.a); END;
      CREATE TRIGGER again AFTER UPDATE ON t BEGIN INSERT OR IGNORE INTO words VALUES (new.a); END;
      INSERT INTO t VALUES (9, 'x')`);
    const rows = [1, 2, ...(onConflict === 'error' ? [] : [9])].map((id) => ({ id, a: 'x' }));
    await loadRows([['t', rows]], { onConflict });
    expect(all('SELECT id FROM t')).toEqual([[1], [2], [9]]);
    expect(all('SELECT w FROM words')).toEqual([['x']]);
  },
);

describe('conflict clauses of a table', () => {
  test.each(['REPLACE', 'IGNORE', 'FAIL', 'ROLLBACK'])(
    'ON CONFLICT %s deletes no row',
    async (rule) => {
      raw.exec(
        `CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE ON CONFLICT ${rule}, b TEXT NOT NULL ON CONFLICT ${rule} DEFAULT 'd')`,
      );
      raw.exec("INSERT INTO t VALUES (1, 'x', 'y')");
      await expect(
        loadRows([
          [
            't',
            [
              { id: 2, a: 'z', b: 'z' },
              { id: 3, a: 'x', b: 'z' },
            ],
          ],
        ]),
      ).rejects.toMatchObject({
        details: { errors: [{ code: 'unique_violation', row: 2 }] },
      });
      await expect(loadRows([['t', [{ id: 2, a: 'z', b: null }]]])).rejects.toMatchObject({
        details: { errors: [{ code: 'not_null_violation', row: 1, column: 'b' }] },
      });
      await expect(
        loadRows(
          [
            [
              't',
              [
                { id: 1, a: 'y', b: 'z' },
                { id: 4, a: 'y', b: 'z' },
              ],
            ],
          ],
          { onConflict: 'update' },
        ),
      ).rejects.toMatchObject({ details: { errors: [{ code: 'unique_violation', row: 2 }] } });
      expect(all('SELECT * FROM t')).toEqual([[1, 'x', 'y']]);
    },
  );
});

test('a unique index with a collation compares by it', async () => {
  raw.exec(
    'CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, n INT); CREATE UNIQUE INDEX u ON t (name COLLATE NOCASE)',
  );
  raw.exec("INSERT INTO t VALUES (1, 'Ann', 1)");
  const options = { onConflict: 'update', conflictColumns: ['name'] } as const;
  const pendingLoad = await loadRows(
    [
      [
        't',
        [
          { name: 'ANN', n: 2 },
          { name: 'Bob', n: 3 },
        ],
      ],
    ],
    options,
  );
  expect(countsOf(pendingLoad, 't')).toEqual([1, 1, 0]);
  expect(all('SELECT * FROM t')).toEqual([
    [1, 'Ann', 2],
    [2, 'Bob', 3],
  ]);
});

test('a partial unique index is not a key', async () => {
  raw.exec(
    'CREATE TABLE t (id INTEGER PRIMARY KEY, a INT, b INT); CREATE UNIQUE INDEX u ON t (a) WHERE b > 0',
  );
  const options = { onConflict: 'skip', conflictColumns: ['a'] } as const;
  await expect(loadRows([['t', [{ a: 1, b: 1 }]]], options)).rejects.toThrow(
    '(a) is no unique key of table "t"; its keys are (id).',
  );
});

describe('tables without rowid', () => {
  test('accept new rows and updates', async () => {
    raw.exec('CREATE TABLE p (id INTEGER PRIMARY KEY); INSERT INTO p VALUES (1)');
    raw.exec(
      'CREATE TABLE t (a TEXT, b INT, p INT REFERENCES p, PRIMARY KEY (a, b)) WITHOUT ROWID',
    );
    const rows = [
      { a: 'x', b: 1, p: 1 },
      { a: 'x', b: 2, p: 1 },
    ];
    await loadRows([['t', rows]]);
    expect(countsOf(await loadRows([['t', rows]], { onConflict: 'update' }), 't')).toEqual([
      0, 2, 0,
    ]);
    await expect(loadRows([['t', [{ a: 'y', b: 1, p: 9 }]]])).rejects.toMatchObject({
      code: 'import_failed',
      details: { errors: [{ code: 'foreign_key_violation' }] },
    });
  });
});

describe('indexes', () => {
  const schemaObjects = (): unknown[] => all('SELECT name, sql FROM sqlite_schema ORDER BY name');
  const many = rowsOf(30_000, (i) => ({ id: i, a: i % 100, b: `b${i}` }));

  beforeEach(() => {
    raw.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, a INT, b TEXT);
      CREATE INDEX "plain one" ON t (a, b DESC);
      CREATE INDEX expressed ON t (a + 1);
      CREATE INDEX partly ON t (a) WHERE b > 'b';
      CREATE UNIQUE INDEX only ON t (b)`);
  });

  test('all exist after many rows, and contain them', async () => {
    const schema = schemaObjects();
    await loadRows([['t', many]]);
    expect(schemaObjects()).toEqual(schema);
    expect(all('PRAGMA integrity_check')).toEqual([['ok']]);
    expect(all('SELECT count(*) FROM t INDEXED BY "plain one" WHERE a = 7')).toEqual([[300]]);
  });

  test('all exist if a row is skipped after they were dropped', async () => {
    const schema = schemaObjects();
    const rows = [...many, { id: 1, a: 1, b: 'again' }, { id: 40_000, a: 1, b: 'last' }];
    const pendingLoad = await loadRows(
      [
        ['t', rows.slice(0, 25_000)],
        ['t', rows.slice(25_000)],
      ],
      { onError: 'skip' },
    );
    expect(countsOf(pendingLoad, 't')).toEqual([30_001, 0, 1]);
    expect(schemaObjects()).toEqual(schema);
    expect(all('PRAGMA integrity_check')).toEqual([['ok']]);
  });

  test('keep the statistics of ANALYZE', async () => {
    raw.exec("INSERT INTO t VALUES (-1, 1, 'x'); ANALYZE");
    const statistics = all('SELECT * FROM sqlite_stat1 ORDER BY idx');
    await loadRows([['t', many]]);
    expect(all('SELECT * FROM sqlite_stat1 ORDER BY idx')).toEqual(statistics);
    expect(all('PRAGMA integrity_check')).toEqual([['ok']]);
  });
});

test('rows that violate one of many foreign keys are reported, at any position', async () => {
  raw.exec(
    'CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (id INTEGER PRIMARY KEY, a INT REFERENCES p, b INT REFERENCES p)',
  );
  raw.exec('PRAGMA foreign_keys = OFF; INSERT INTO c VALUES (-5, 777, NULL)');
  const rows = rowsOf(3000, (i) => ({
    id: (i * 7919) % 100_003,
    a: i === 2000 ? 99 : 1,
    b: i === 10 ? 98 : null,
  }));
  await expect(
    loadRows([
      ['p', [{ id: 1 }]],
      ['c', rows],
    ]),
  ).rejects.toMatchObject({
    details: {
      errors: expect.toSatisfy(
        (errors: readonly { readonly row: number; readonly column: string }[]) => {
          const found = errors.map(({ row, column }) => `${row} ${column}`).toSorted();
          return found.join() === '10 b,2000 a';
        },
      ) as unknown,
    },
  });
  expect(all('SELECT count(*) FROM c')).toEqual([[1]]);
});

test('a row for which an index expression fails is reported, and skipped on request', async () => {
  raw.exec(
    `CREATE TABLE e (id INTEGER PRIMARY KEY, a TEXT); CREATE INDEX ei ON e (json_extract(a, '$.x'))`,
  );
  const rows = rowsOf(9, (i) => ({ id: i, a: i === 5 ? '{nope' : '{}' }));
  await expect(loadRows([['e', rows]])).rejects.toMatchObject({
    code: 'import_failed',
    details: {
      errors: [
        {
          code: 'database_error',
          table: 'e',
          row: 5,
          message: expect.stringContaining('malformed JSON') as string,
        },
      ],
    },
  });
  expect(all('SELECT COUNT(*) FROM e')).toEqual([[0]]);
  const pendingLoad = await loadRows([['e', rows]], { onError: 'skip' });
  expect(countsOf(pendingLoad, 'e')).toEqual([8, 0, 1]);
});
