import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { exportAll, exportOne } from '../exporting.ts';
import { makeFile, openRaw } from './fixture.ts';

const structure = `
  CREATE TABLE classes (id INTEGER PRIMARY KEY, whole INTEGER, words TEXT, number NUMERIC, amount DECIMAL(10,2), real_one REAL,
    raw BLOB, anything, flag BOOLEAN, day DATE, document JSON);
  CREATE TABLE strict_one (k ANY PRIMARY KEY, v ANY) STRICT, WITHOUT ROWID;
  CREATE TABLE keyless (v);
  CREATE TABLE half_key (a, b, PRIMARY KEY (a, b))`;

const values = [
  ...[
    'NULL',
    '0',
    '1',
    '-1',
    '9007199254740993',
    '-9223372036854775808',
    '1.0',
    '1.5',
    '-0.0',
    '1e300',
    '9e18',
  ],
  ...[
    '1e999',
    '-1e999',
    '0.1',
    "''",
    "'12'",
    "'1.0'",
    "'abc'",
    "'2026-01-31'",
    '\'{"a":1}\'',
    "'null'",
    "'=1'",
  ],
  ...[
    "X''",
    "X'00ff'",
    "X'6162'",
    "'a' || char(0) || 'b'",
    "'a' || char(13, 10) || 'b\\r\\0'",
    "'\\x41'",
  ],
];

function filled(): string {
  const columns = [
    'whole',
    'words',
    'number',
    'amount',
    'real_one',
    'raw',
    'anything',
    'flag',
    'day',
    'document',
  ];
  const inserts = columns.flatMap((column) =>
    values.map((value) => `INSERT INTO classes (${column}) VALUES (${value})`),
  );
  return makeFile(
    `PRAGMA journal_mode = WAL; ${structure}; ${inserts.join('; ')};
     INSERT INTO strict_one VALUES (1, 1.0), ('1', X'31'), (X'31', 1);
     INSERT INTO keyless VALUES ('z'), ('a'), (NULL);
     INSERT INTO half_key VALUES (NULL, 2), (1, NULL), (NULL, 1), (1, 1)`,
  );
}

test('values of every storage class survive an export as SQL', async () => {
  const path = filled();
  const { bytes, text } = await exportAll(path, { format: 'sql' });
  const copy = makeFile(structure, 'copy.db');
  execFileSync('sqlite3', ['-bail', copy], { input: bytes });
  expect((await exportAll(copy, { format: 'sql' })).text).toBe(text);
  const contents = (file: string): unknown =>
    openRaw(file)
      .prepare(
        'SELECT *, typeof(whole), typeof(words), typeof(number), typeof(amount), typeof(real_one), typeof(raw), typeof(anything), typeof(flag), typeof(day), typeof(document) FROM classes',
      )
      .safeIntegers()
      .raw()
      .all();
  expect(contents(copy)).toEqual(contents(path));
});

test('tables without a key are in rowid order, and the rowids are not exported', async () => {
  const path = filled();
  const { text } = await exportAll(path, { tables: ['keyless', 'half_key'] });
  expect(text).toBe(
    [
      '{',
      '"half_key": [',
      '{"a":1,"b":1},',
      '{"a":1,"b":null},',
      '{"a":null,"b":1},',
      '{"a":null,"b":2}',
      '],',
      '"keyless": [',
      '{"v":"z"},',
      '{"v":"a"},',
      '{"v":null}',
      ']',
      '}',
      '',
    ].join('\n'),
  );
  const one = await exportOne(path, { table: 'keyless', format: 'csv' });
  expect(one.text).toBe('v\nz\na\n\n');
});

test.each([
  ['its own number', 'id INTEGER PRIMARY KEY, v'],
  ['the row number', 'id INTEGER, v'],
  ['another order', 'id INTEGER, v, PRIMARY KEY (v, id)'],
])('each row is exported once, page by page: %s', async (_order, columns) => {
  const path = makeFile(
    `CREATE TABLE t (${columns});
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
     INSERT INTO t SELECT CASE WHEN i % 2 = 0 THEN -i ELSE i + 9007199254740000 END, i % 7 FROM n`,
  );
  const { text } = await exportOne(path, { table: 't', format: 'csv', columns: ['id'] });
  const ids = text.split('\n').slice(1, -1).map(BigInt);
  const { text: some } = await exportOne(path, {
    table: 't',
    format: 'csv',
    query: { filters: [{ name: 'v', value: '3' }], sort: [{ column: 'id', descending: true }] },
  });
  expect(new Set(ids).size).toBe(1500);
  const stored = openRaw(path).prepare('SELECT id FROM t').safeIntegers().pluck().all();
  expect(new Set(ids)).toEqual(new Set(stored));
  expect(some.split('\n')).toHaveLength(216);
});

test('an export is one snapshot while another client writes', async () => {
  const path = makeFile(
    `PRAGMA journal_mode = WAL; CREATE TABLE a (v); CREATE TABLE b (v);
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO a SELECT 'row ' || i FROM n;
     INSERT INTO b VALUES ('row')`,
  );
  const owner = openRaw(path);
  let writes = 0;
  const { text } = await exportAll(path, { format: 'ndjson' }, async () => {
    owner.exec("INSERT INTO a VALUES ('late'); INSERT INTO b VALUES ('late')");
    writes++;
  });
  expect(writes).toBeGreaterThan(1);
  expect(text.split('\n')).toHaveLength(5002);
  expect(text).not.toContain('late');
});

test('a table that cannot be read is left out and reported', async () => {
  const path = makeFile('CREATE TABLE t (v); INSERT INTO t VALUES (1)');
  const raw = openRaw(path);
  raw.unsafeMode();
  raw.exec(
    `PRAGMA writable_schema = ON;
     INSERT INTO sqlite_schema VALUES ('table', 'gone', 'gone', 0, 'CREATE VIRTUAL TABLE gone USING nothing_there')`,
  );
  const { text, head } = await exportAll(path, { format: 'ndjson' });
  expect(text).toBe('{"table":"t","row":{"v":1}}\n');
  expect(head.warnings).toEqual([expect.stringMatching(/^Table "gone" is not exported\. /)]);
});

test('text that is not UTF-8 is binary in the file', async () => {
  const path = makeFile("CREATE TABLE t (v TEXT); INSERT INTO t VALUES (CAST(X'61ff' AS TEXT))");
  expect((await exportAll(path, { format: 'ndjson' })).text).toContain('{"v":{"$base64":"Yf8="}}');
  expect((await exportOne(path, { table: 't', format: 'csv' })).text).toBe('v\n\\x61ff\n');
});

test('views are left out unless they are named', async () => {
  const path = makeFile('CREATE TABLE t (v); CREATE VIEW w AS SELECT * FROM t');
  expect(JSON.parse((await exportAll(path)).text)).toEqual({ t: [] });
  expect(JSON.parse((await exportAll(path, { tables: ['w'] })).text)).toEqual({ w: [] });
});
