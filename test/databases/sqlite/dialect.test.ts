import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { param, sql } from '../../../src/model/fragment.ts';
import { render } from '../../../src/sql/render.ts';
import { sqliteDialect } from '../../../src/databases/sqlite/dialect/dialect.ts';
import { columnType } from '../../../src/databases/sqlite/dialect/types.ts';
import { introspectTable, makeDatabase, run } from './fixture.ts';
import type { LikePattern } from '../../../src/model/database.ts';
import type { Column } from '../../../src/model/schema.ts';
import type { Value } from '../../../src/model/values.ts';
import type { Database } from '../registered-databases.ts';

const dialect = sqliteDialect;
const column = (nativeType: string, more: Partial<Column> = {}): Column => ({
  name: 'c',
  nativeType,
  type: columnType(nativeType),
  nullable: true,
  dynamic: true,
  ...more,
});

describe('a parameter', () => {
  test.each<readonly [string, string, readonly Value[]]>([
    ['INTEGER', '12', [12n]],
    ['INTEGER', '-9223372036854775808', [-(2n ** 63n)]],
    ['INTEGER', '9007199254740993', [9007199254740993n]],
    ['INTEGER', '99999999999999999999', [1e20]],
    ['INTEGER', '1.5', [1.5]],
    ['INTEGER', '', []],
    ['INTEGER', 'x', []],
    ['INTEGER', ' 1', []],
    ['INTEGER', '0x10', []],
    ['DECIMAL(10,2)', '10.50', [10.5]],
    ['REAL', '1e3', [1000]],
    ['REAL', '-Infinity', [-Infinity]],
    ['REAL', 'NaN', []],
    ['BOOLEAN', 'true', [1n]],
    ['BOOLEAN', 'FALSE', [0n]],
    ['BOOLEAN', '1', [1n]],
    ['BOOLEAN', '2', [2n]],
    ['BOOLEAN', 'yes', []],
    ['TEXT', '12', ['12']],
    ['VARCHAR(3)', '', ['']],
    ['DATE', '2026-01-31', ['2026-01-31']],
    ['UUID', '12', ['12']],
    ['', '12', ['12', 12n]],
    ['', '1234', ['1234', 1234n, Buffer.from('1234', 'base64url')]],
    ['', 'x y', ['x y']],
    ['', '1.5', ['1.5', 1.5]],
    ['BLOB', 'AQI', [Buffer.from([1, 2]), 'AQI']],
    ['BLOB', '', [Buffer.alloc(0), '']],
    ['BLOB', 'AQJ', ['AQJ']],
  ])('of a column declared %s: %s is %o', (type, text, values) => {
    expect(dialect.readParameter(text, column(type))).toEqual(values);
  });

  test('of an INTEGER PRIMARY KEY is a 64-bit integer or is rejected', () => {
    const key = column('INTEGER', { autoIncrement: true });
    expect(dialect.readParameter('9223372036854775807', key)).toEqual([2n ** 63n - 1n]);
    for (const text of ['9223372036854775808', '1.0', '1.5', '1e3', 'x', ''])
      expect(dialect.readParameter(text, key)).toEqual([]);
  });

  test('finds the stored value in every type', async () => {
    const types = ['', 'BLOB', 'INT', 'TEXT', 'REAL', 'NUMERIC', 'DATE', 'DATETIME', 'STRING'];
    const database = makeDatabase(
      `CREATE TABLE t (${types.map((type, i) => `c${i} ${type}`).join(', ')})`,
    );
    const stored: Value[] = [
      '12',
      12n,
      1.5,
      '2026-01-31',
      1700000000n,
      'a',
      Buffer.from([1, 2]),
      2n ** 60n,
    ];
    for (const value of stored)
      await run(
        database,
        `INSERT INTO t VALUES (${types.map(() => '?').join(', ')})`,
        ...types.map(() => value),
      );
    const { columns } = await introspectTable(database, 't');
    for (const [i, one] of columns.entries()) {
      for (const value of stored) {
        if (typeof value === 'object' && types[i] !== '' && types[i] !== 'BLOB') continue;
        const text =
          typeof value === 'object'
            ? Buffer.from(value as Uint8Array).toString('base64url')
            : String(value);
        const conditions = dialect
          .readParameter(text, one)
          .map((candidate) => sql`c${String(i)} = ${param(candidate)}`);
        const found: unknown[] = [];
        for (const condition of conditions)
          found.push(
            ...(
              await database.run(
                render(dialect, sql`SELECT c${String(i)} FROM t WHERE ${condition}`),
              )
            ).rows,
          );
        const numeric = ['INT', 'REAL', 'NUMERIC'].includes(types[i]!) && /[a-z]|-\d\d-/.test(text);
        expect(found.length > 0, `${text} in ${types[i]}`).toBe(!numeric);
      }
    }
  });
});

describe('LIKE', () => {
  const matches = async (
    database: Database,
    text: Value,
    pattern: LikePattern,
  ): Promise<unknown> => {
    const condition = dialect.like('v', pattern, true);
    const { rows } = await database.run(
      render(dialect, sql`SELECT ${condition} FROM (SELECT ${param(text)} AS v)`),
    );
    return rows[0]?.[0];
  };
  const contains = (literal: string): LikePattern => ['any', { literal }, 'any'];

  test('matches literals exactly', async () => {
    const database = makeDatabase();
    for (const literal of ['100%', 'a_b', String.raw`c:\temp`, '[x]', '%', '_', '\\', "'"]) {
      expect(await matches(database, `<${literal}>`, contains(literal)), literal).toBe(1n);
      expect(await matches(database, '<axb 100 c:temp x>', contains(literal)), literal).toBe(0n);
    }
  });

  test('ignores the case of every script on request', async () => {
    const database = makeDatabase();
    for (const [text, literal] of [
      ['MÜNCHEN', 'münchen'],
      ['ΟΔΟΣ', 'οδος'],
      ['привет', 'ПРИВЕТ'],
      ['Straẞe', 'straße'],
      ['ÅNGSTRÖM', 'ångström'],
      ['ABC', 'abc'],
    ] as const) {
      expect(await matches(database, `x${text}y`, contains(literal)), text).toBe(1n);
    }
    expect(await matches(database, 'MÜNCHEN', contains('ünchenx'))).toBe(0n);
    expect(await matches(database, null, contains('é'))).toBeNull();
    expect(await matches(database, 12n, contains('é'))).toBe(0n);
    expect(await matches(database, 'é\nÉ', ['any', { literal: 'É\nÉ' }, 'any'])).toBe(1n);
    expect(await matches(database, '😀é', ['one', { literal: 'É' }])).toBe(1n);
  });

  test("gives the same result by SQLite and by the studio's function for ASCII text", async () => {
    const database = makeDatabase();
    const part = fc.oneof(
      fc.constantFrom('any' as const, 'one' as const),
      fc
        .string({
          unit: fc.constantFrom('a', 'B', '%', '_', '\\', '.', '\n', '(', '-'),
          maxLength: 3,
        })
        .map((literal) => ({ literal })),
    );
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', 'A', '%', '_', '\\', '.', '\n', '(', '-'),
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 5 }), text, async (pattern, value) => {
        const folded = dialect.like('v', [...pattern, { literal: 'é' }], true);
        const plain = await matches(database, value, pattern);
        const { rows } = await database.run(
          render(dialect, sql`SELECT ${folded} FROM (SELECT ${param(`${value}É`)} AS v)`),
        );
        expect(rows[0]?.[0]).toBe(plain);
      }),
      { numRuns: 300 },
    );
  });

  test('takes bounded work for every pattern', async () => {
    const database = makeDatabase();
    const pattern: LikePattern = [
      ...Array.from({ length: 40 }, () => ['any', { literal: 'aé' }] as const).flat(),
      { literal: '!' },
    ];
    expect(await matches(database, 'aÉ'.repeat(20_000), pattern)).toBe(0n);
  });
});

describe('text', () => {
  test('orders NULLs last in both directions', async () => {
    const database = makeDatabase('CREATE TABLE t (v); INSERT INTO t VALUES (2), (NULL), (1)');
    const order = async (descending: boolean): Promise<unknown> =>
      (
        await run(
          database,
          `SELECT v FROM t ORDER BY ${dialect.orderTerm('v', { descending, nullable: true })}`,
        )
      ).rows.flat();
    expect(await order(false)).toEqual([1n, 2n, null]);
    expect(await order(true)).toEqual([2n, 1n, null]);
    expect(dialect.orderTerm('v', { descending: false, nullable: false })).toBe('v');
  });

  test('pages', async () => {
    const database = makeDatabase('CREATE TABLE t (v); INSERT INTO t VALUES (1), (2), (3)');
    const { rows } = await database.run(
      render(dialect, sql`SELECT v FROM t ${dialect.limitClause(1, 1, false)}`),
    );
    expect(rows).toEqual([[2n]]);
  });

  test('shortens values that can be long in previews', async () => {
    const database = makeDatabase(
      `CREATE TABLE t (a TEXT, b BLOB); INSERT INTO t VALUES ('äbc', x'010203')`,
    );
    const { columns } = await introspectTable(database, 't');
    const [a, b] = columns.map((one) => dialect.preview(one.name, one, 2)!);
    const { rows } = await run(
      database,
      `SELECT ${a!.bytes}, ${a!.head}, ${b!.bytes}, ${b!.head} FROM t`,
    );
    expect(rows).toEqual([[4n, 'äb', 3n, Buffer.from([1, 2])]]);
    expect(dialect.preview('c', column('INTEGER'), 2)).toBeUndefined();
  });

  test('is searched in text columns', () => {
    const searchable = [
      'TEXT',
      'VARCHAR(3)',
      'CLOB',
      'STRING',
      'UUID',
      'INT',
      'BLOB',
      '',
      'DATE',
      'JSON',
    ].filter((type) => dialect.isSearchable(column(type)));
    expect(searchable).toEqual(['TEXT', 'VARCHAR(3)', 'CLOB', 'STRING', 'UUID']);
  });
});
