import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  introspectTable,
  makeDatabase,
  makeFile,
  openFile,
  openRaw,
  query,
  run,
} from './fixture.ts';
import type { ColumnInfo } from '../../../src/model/schema.ts';
import { InvalidText } from '../../../src/model/values.ts';
import type { Row, Value } from '../../../src/model/values.ts';
import type { Database } from '../registered-databases.ts';

/** A value described by SQLite's storage class and content. */
type Described = readonly [storageClass: string, content: string];

/** The storage class and content that follow from a value by the rule of `ColumnInfo.dynamic`. */
function describeValue(value: Value, { type }: ColumnInfo): Described {
  if (value === null) return ['null', ''];
  if (typeof value === 'bigint') return ['integer', String(value)];
  if (typeof value === 'number') {
    const converts = !['float', 'untyped', 'binary'].includes(type.kind);
    const isInteger = converts && Number.isSafeInteger(value) && !Object.is(value, -0);
    return [isInteger ? 'integer' : 'real', Object.is(value, -0) ? '-0' : String(value)];
  }
  if (typeof value === 'string') return ['text', Buffer.from(value).toString('hex')];
  return ['bytes', Buffer.from(value as Uint8Array).toString('hex')];
}

const isUtf8 = (hex: string): boolean =>
  Buffer.from(Buffer.from(hex, 'hex').toString()).toString('hex') === hex;

/** The stored value according to SQLite itself. */
function describeStored([storageClass, text, quoted]: Row): Described {
  if (storageClass === 'null') return ['null', ''];
  if (storageClass === 'integer') return ['integer', String(quoted)];
  if (storageClass === 'real')
    return ['real', Object.is(Number(quoted), -0) ? '-0' : String(Number(quoted))];
  const hex = String(text).toLowerCase();
  return [storageClass === 'text' && isUtf8(hex) ? 'text' : 'bytes', hex];
}

/** The angle distinguishes -0.0, which SQLite prints as 0.0. */
const describingQuery = (name: string): string =>
  `SELECT typeof(${name}), hex(CAST(${name} AS BLOB)), CASE WHEN typeof(${name}) = 'real' AND ${name} = 0 THEN iif(atan2(${name}, -1.0) < 0, '-0.0', '0.0') ELSE quote(${name}) END`;

interface Stored {
  /** An SQL expression and its parameter. */
  readonly expression: string;
  readonly value: Value;
}

const plain = (value: Value): Stored => ({ expression: '?', value });
const storedText = (bytes: Uint8Array): Stored => ({ expression: 'CAST(? AS TEXT)', value: bytes });

const awkward: readonly Stored[] = [
  plain(null),
  ...[
    0n,
    1n,
    -1n,
    2n ** 53n - 1n,
    2n ** 53n,
    2n ** 53n + 1n,
    -(2n ** 53n) - 1n,
    2n ** 63n - 1n,
    -(2n ** 63n),
  ].map(plain),
  ...[
    0,
    -0,
    1,
    1.5,
    0.1,
    1e15,
    2 ** 53,
    2 ** 53 + 2,
    1e18,
    1e19,
    1e20,
    1e300,
    5e-324,
    Infinity,
    -Infinity,
  ].map(plain),
  ...[
    '',
    '12',
    '1.0',
    '1e3',
    ' 5 ',
    'a\0b',
    'ünï',
    '\ufffd',
    '😀',
    'NaN',
    '0x10',
    '9007199254740993',
  ].map(plain),
  ...[[], [0], [0xff], [0x31], [0xef, 0xbf, 0xbd]].map((bytes) => plain(Buffer.from(bytes))),
  ...[
    [0xff],
    [0x61, 0xff, 0x00, 0x62],
    [0xc3],
    [0xed, 0xa0, 0x80],
    [0x41, 0xef, 0xbf, 0xbd, 0x80],
  ].map((bytes) => storedText(Buffer.from(bytes))),
];

const declaredTypes = [
  '', 'BLOB', 'ANY', 'VARBINARY(4)', 'INT', 'INTEGER', 'BIGINT', 'TINYINT(1)', 'TEXT', 'VARCHAR(3)', 'REAL', 'DOUBLE PRECISION',
  'FLOAT', 'NUMERIC', 'DECIMAL(10,2)', 'BOOLEAN', 'DATE', 'DATETIME', 'TIMESTAMP', 'JSON', 'UUID', 'STRING', 'FLOATING POINT', 'POINT',
]; // prettier-ignore

const tableOf = (types: readonly string[], options = ''): string =>
  `CREATE TABLE t (n INTEGER PRIMARY KEY, ${types.map((type, i) => `c${i} ${type}`).join(', ')}) ${options};`;

/** Stores rows, and reads each column back in every possible way. */
async function expectExact(database: Database, path: string, width: number): Promise<void> {
  const table = await introspectTable(database, 't');
  const raw = openRaw(path);
  for (let i = 0; i < width; i++) {
    const column = table.columns[i + 1]!;
    const expected = raw
      .prepare<[], Row>(`${describingQuery(`c${i}`)} FROM t ORDER BY n`)
      .raw()
      .all()
      .map(describeStored);
    const text = `SELECT c${i} FROM t ORDER BY n`;
    const typedResult = await database.run({ text, params: [], columns: [column] });
    expect(
      typedResult.rows.map(([value]) => describeValue(value ?? null, column)),
      column.nativeType,
    ).toEqual(expected);
    const exact: ColumnInfo = {
      ...column,
      type: column.type.kind === 'float' ? column.type : { kind: 'untyped' },
    };
    const unknown = await database.run({ text, params: [] });
    expect(
      unknown.rows.map(([value]) => describeValue(value ?? null, exact)),
      column.nativeType,
    ).toEqual(expected);
    const streamed: Described[] = [];
    const stream = await database.stream({ text, params: [], columns: [column] });
    for await (const batch of stream.batches)
      streamed.push(...batch.map(([value]) => describeValue(value ?? null, column)));
    expect(streamed, column.nativeType).toEqual(expected);
  }
}

function fill(path: string, types: readonly string[], rows: readonly (readonly Stored[])[]): void {
  const raw = openRaw(path);
  raw.exec(tableOf(types));
  raw.exec('BEGIN');
  for (const row of rows) {
    const expressions = row.map(({ expression }) => expression).join(', ');
    raw
      .prepare(`INSERT INTO t VALUES (NULL, ${expressions})`)
      .run(...row.map(({ value }) => value));
  }
  raw.exec('COMMIT');
  raw.close();
}

describe('values are returned exactly', () => {
  test('every stored class in every declared type', async () => {
    const path = makeFile();
    fill(
      path,
      declaredTypes,
      awkward.map((stored) => declaredTypes.map(() => stored)),
    );
    await expectExact(openFile(path, { readOnly: true }), path, declaredTypes.length);
  });

  test('random values in random columns, with their storage classes', async () => {
    const stored: fc.Arbitrary<Stored> = fc.oneof(
      fc.constantFrom(...awkward),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(plain),
      fc.integer().map((value) => plain(BigInt(value))),
      fc.double({ noNaN: true }).map(plain),
      fc.integer().map(plain),
      fc.string({ unit: 'binary' }).map(plain),
      fc.double({ noNaN: true }).map((value) => plain(String(value))),
      fc.uint8Array({ maxLength: 12 }).map((bytes) => plain(Buffer.from(bytes))),
      fc.uint8Array({ maxLength: 12 }).map((bytes) => storedText(Buffer.from(bytes))),
    );
    const tables = fc
      .array(fc.constantFrom(...declaredTypes), { minLength: 1, maxLength: 4 })
      .chain((types) =>
        fc.record({
          types: fc.constant(types),
          rows: fc.array(fc.array(stored, { minLength: types.length, maxLength: types.length }), {
            maxLength: 12,
          }),
        }),
      );
    await fc.assert(
      fc.asyncProperty(tables, async ({ types, rows }) => {
        const path = makeFile();
        fill(path, types, rows);
        const database = openFile(path, { readOnly: true });
        await expectExact(database, path, types.length);
        await database.close();
      }),
      { numRuns: 40 },
    );
  });

  test('bound values are stored in their own storage class', async () => {
    const database = makeDatabase('CREATE TABLE t (v)');
    const values: Value[] = [
      1,
      1n,
      1.5,
      -0,
      true,
      false,
      'x',
      null,
      new Uint8Array([1, 2]),
      2n ** 63n - 1n,
      Infinity,
    ];
    for (const value of values) await run(database, 'INSERT INTO t VALUES (?)', value);
    const { rows } = await run(database, 'SELECT typeof(v) FROM t ORDER BY rowid');
    expect(rows.flat()).toEqual([
      'real',
      'integer',
      'real',
      'real',
      'integer',
      'integer',
      'text',
      'null',
      'blob',
      'integer',
      'real',
    ]);
    expect((await run(database, 'SELECT v FROM t ORDER BY rowid')).rows.flat()).toEqual([
      1,
      1n,
      1.5,
      -0,
      1n,
      0n,
      'x',
      null,
      Buffer.from([1, 2]),
      2n ** 63n - 1n,
      Infinity,
    ]);
  });

  test('numbered and named parameters get their values in the order of SQLite', async () => {
    const database = makeDatabase();
    const values = async (text: string, ...params: Value[]): Promise<Row> =>
      (await run(database, text, ...params)).rows[0]!;
    expect(await values('SELECT ?2, ?1, ?', 'a', 'b', 'c')).toEqual(['b', 'a', 'c']);
    expect(await values('SELECT :x, @y, :x, $z', 'a', 'b', 'c')).toEqual(['a', 'b', 'a', 'c']);
    expect(await values(`SELECT '?1 :x', ?`, 'a')).toEqual(['?1 :x', 'a']);
  });
});

test('storage classes are distinguished in a view of an ANY column, and texts in a UTF-16 database', async () => {
  const database =
    makeDatabase(`PRAGMA encoding = 'UTF-16le'; CREATE TABLE t (v ANY) STRICT; INSERT INTO t VALUES (1), (1.0), ('ü' || char(65533));
    CREATE VIEW w AS SELECT v FROM t`);
  const { columns } = await introspectTable(database, 'w');
  expect(columns[0]?.type).toEqual({ kind: 'untyped' });
  for (const columnOptions of [{ columns }, {}]) {
    expect(
      (await database.run({ text: 'SELECT v FROM w', params: [], ...columnOptions })).rows,
    ).toEqual([[1n], [1], ['ü\ufffd']]);
  }
});

describe('a result', () => {
  test('has the names and declared types of its columns', async () => {
    const database = makeDatabase('CREATE TABLE t (id INTEGER PRIMARY KEY, at DATETIME)');
    const { columns } = await run(database, 'SELECT id, at AS moment, 1 + 1 AS two FROM t');
    expect(columns).toEqual([
      { name: 'id', nativeType: 'INTEGER', type: { kind: 'integer', bits: 64 }, dynamic: true },
      { name: 'moment', nativeType: 'DATETIME', type: { kind: 'timestamp' }, dynamic: true },
      { name: 'two', nativeType: '', type: { kind: 'untyped' }, dynamic: true },
    ]);
  });

  test('keeps text that is not UTF-8 also behind ORDER BY, a semicolon, a comment and WITH', async () => {
    const database = makeDatabase(
      `CREATE TABLE t (n, v TEXT); INSERT INTO t VALUES (1, 'good'), (2, CAST(x'62ff' AS TEXT)), (3, char(65533));`,
    );
    const expected = [
      [3n, '\ufffd'],
      [2n, new InvalidText([0x62, 0xff])],
      [1n, 'good'],
    ];
    for (const text of [
      'SELECT n, v FROM t ORDER BY n DESC',
      'SELECT n, v FROM t ORDER BY n DESC; -- done',
      'SELECT n, v FROM t ORDER BY n DESC -- done',
      'WITH q AS (SELECT * FROM t) SELECT n, v FROM q ORDER BY n DESC',
    ]) {
      expect((await run(database, text)).rows, text).toEqual(expected);
    }
  });

  test('of a write has the number of written rows', async () => {
    const database = makeDatabase('CREATE TABLE t (v)');
    expect((await run(database, 'INSERT INTO t VALUES (1), (2)')).rowsAffected).toBe(2);
    expect(await run(database, 'UPDATE t SET v = v + 1 RETURNING v')).toMatchObject({
      rowsAffected: 2,
      rows: [[2n], [3n]],
    });
    expect((await run(database, 'DELETE FROM t WHERE v > 99')).rowsAffected).toBe(0);
  });
});

describe('a stream', () => {
  const count = (to: number): string =>
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${to})`;

  test('is read in batches of 500, with exact integers where rows need them', async () => {
    const database =
      makeDatabase(`CREATE TABLE t (n INTEGER PRIMARY KEY, big INTEGER, words TEXT, more TEXT);
      ${count(2100)} INSERT INTO t SELECT i, iif(i = 900, 9007199254740993, i),
        CAST(iif(i = 1300, x'ff', 'w' || i) AS TEXT), CAST(iif(i = 2000, x'fe', 'm') AS TEXT) FROM n`);
    const { columns } = await introspectTable(database, 't');
    const stream = await database.stream({
      text: 'SELECT * FROM t ORDER BY n',
      params: [],
      columns,
    });
    const batches: (readonly Row[])[] = [];
    for await (const batch of stream.batches) batches.push(batch);
    expect(batches.map((batch) => batch.length)).toEqual([500, 500, 500, 500, 100]);
    const rows = batches.flat();
    expect(rows.map(([n]) => Number(n))).toEqual(Array.from({ length: 2100 }, (_, i) => i + 1));
    expect(rows[899]?.[1]).toBe(9007199254740993n);
    expect(rows[1299]?.[2]).toEqual(new InvalidText([0xff]));
    expect(rows[1999]?.[3]).toEqual(new InvalidText([0xfe]));
    expect(rows[2099]).toEqual([2100n, 2100n, 'w2100', 'm']);
  });

  test('of long cells is read in smaller batches', async () => {
    const database = makeDatabase(
      `CREATE TABLE t (v BLOB); ${count(6)} INSERT INTO t SELECT zeroblob(3000000) FROM n`,
    );
    const stream = await database.stream(query('SELECT v FROM t'));
    const sizes: number[] = [];
    for await (const batch of stream.batches) sizes.push(batch.length);
    expect(sizes).toEqual([2, 2, 2]);
  });

  test('does not block other reads, nor writes after it was abandoned', async () => {
    const database = makeDatabase(
      `CREATE TABLE t (n); ${count(1200)} INSERT INTO t SELECT i FROM n`,
    );
    const text = query('SELECT n FROM t');
    for await (const batch of (await database.stream(text)).batches) {
      expect(batch).toHaveLength(500);
      expect((await database.run(text)).rows).toHaveLength(1200);
      await expect(run(database, 'DELETE FROM t')).rejects.toThrow('busy');
      break;
    }
    expect((await run(database, 'DELETE FROM t')).rowsAffected).toBe(1200);
  });

  test('ends when its signal aborts', async () => {
    const database = makeDatabase(
      `CREATE TABLE t (n); ${count(1200)} INSERT INTO t SELECT i FROM n`,
    );
    const stop = new AbortController();
    const { batches } = await database.stream(query('SELECT n FROM t'), { signal: stop.signal });
    await expect(
      (async () => {
        for await (const batch of batches) {
          expect(batch).toHaveLength(500);
          stop.abort(new Error('enough'));
        }
      })(),
    ).rejects.toThrow('enough');
  });
});
