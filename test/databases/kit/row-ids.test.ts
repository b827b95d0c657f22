import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeSegment } from '../../../src/model/row-id.ts';
import { failureOf, describeOnEachDatabase, readBody, rowOf } from './harness.ts';
import { bigint, columnOf, int, name, tableWithId, tableOf } from './tables.ts';
import type { Harness, JsonRow } from './harness.ts';

/** Texts that have a meaning in paths, lists and LIKE. */
const oddTexts = [
  '',
  ' ',
  '.',
  '..',
  '...',
  '~',
  '~~',
  '~.',
  '~..',
  '~~..',
  '~a',
  ',',
  'a,b',
  ',,',
  '/',
  'a/b',
  '//',
  '%',
  '%2C',
  '%2F',
  '%00',
  '%zz',
  '?',
  '#',
  '&',
  '+',
  'a b',
  ';',
  'bulk-delete',
  'relations',
  'cells',
  'null',
  '0',
  '-1',
  '1e3',
  "'",
  "''",
  '"',
  '\\',
  '\\\\',
  '\n',
  '\r\n',
  '\t',
  '😀',
  'é',
  'e\u0301',
  'ß',
  '\u202e',
  '名前',
  '__proto__',
  'constructor',
  "' OR '1'='1",
];

const text = fc.oneof(
  fc.constantFrom(...oddTexts),
  fc
    .string({ unit: 'grapheme', maxLength: 20 })
    .filter((value) => value.isWellFormed() && !value.includes('\0')),
  fc.string({ unit: fc.constantFrom('~', '.', ',', '/', '%', '\\', "'", 'a'), maxLength: 6 }),
);

const wide = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

interface Case {
  readonly table: string;
  readonly row: JsonRow;
}

async function textOfAll(harness: Harness, table: string): Promise<string> {
  return JSON.stringify((await harness.list(table, { pageSize: 500, count: 'none' })).data);
}

/** Creates a row, then reads, changes and deletes it by its id alone. No other row may change. */
async function checkRowById(harness: Harness, { table, row }: Case): Promise<void> {
  const before = await textOfAll(harness, table);
  const created = await harness.create(table, bodyOf(row)).catch(() => undefined);
  // Another row is equal to it by the database's own comparison.
  if (created === undefined) return;
  const { id = '' } = created.meta.location ?? {};
  expect(id).not.toMatch(/[/?#]|^\.{1,2}$|^$/);
  const stored = rowOf(created);
  expect(readBody(await harness.get(table, id))).toEqual(stored);
  // A client that encodes the whole id of several parts.
  const encoded = id.includes(',') ? encodeURIComponent(id) : id;
  expect(readBody(await harness.get(table, encoded))).toEqual(stored);
  const withRow = await textOfAll(harness, table);
  const changed = rowOf(await harness.update(table, id, { body: { note: 'changed' } }));
  expect(changed).toEqual({ ...stored, note: 'changed' });
  expect(await textOfAll(harness, table)).toBe(
    withRow.replace(JSON.stringify(stored), () => JSON.stringify(changed)),
  );
  await harness.remove(table, id);
  expect(await textOfAll(harness, table)).toBe(before);
}

/** Prints integers with all digits. */
function bodyOf(row: JsonRow): string {
  const members = Object.entries(row).map(
    ([column, value]) =>
      `${JSON.stringify(column)}:${typeof value === 'bigint' ? String(value) : JSON.stringify(value)}`,
  );
  return `{${members.join(',')}}`;
}

const note = columnOf('note', name, { default: "'first'" });

describeOnEachDatabase('row ids', (harness) => {
  test('of any text address that row only', async () => {
    await harness.createTables([
      tableOf('by_text', [columnOf('k', name), note], { primaryKey: { columns: ['k'] } }),
    ]);
    await harness.insertRows('by_text', [
      { k: 'a' },
      { k: 'neighbour,1' },
      { k: '%_' },
      { k: '~' },
    ]);
    await fc.assert(
      fc.asyncProperty(text, (k) => checkRowById(harness, { table: 'by_text', row: { k } })),
      { numRuns: oddTexts.length + 15, examples: oddTexts.map((k): [string] => [k]) },
    );
  });

  test('of any number address that row only', async () => {
    await harness.createTables([
      tableOf('by_number', [columnOf('k', bigint), note], { primaryKey: { columns: ['k'] } }),
    ]);
    await harness.insertRows('by_number', [
      { k: 9007199254740992n },
      { k: 9007199254740994n },
      { k: 0 },
      { k: 5 },
    ]);
    const edges = [9007199254740993n, -9007199254740993n, 2n ** 63n - 1n, -(2n ** 63n), 1n, -1n];
    await fc.assert(
      fc.asyncProperty(wide, (k) => checkRowById(harness, { table: 'by_number', row: { k } })),
      { numRuns: edges.length + 10, examples: edges.map((k): [bigint] => [k]) },
    );
  });

  test('of any composite key address that row only', async () => {
    const table = tableOf(
      'by_both',
      [columnOf('note', name, { default: "'first'" }), columnOf('b', bigint), columnOf('a', name)],
      { primaryKey: { columns: ['a', 'b'] } },
    );
    await harness.createTables([table]);
    await harness.insertRows('by_both', [
      { a: 'a,1', b: 1 },
      { a: 'a', b: 1 },
      { a: '', b: 1 },
      { a: '%2C', b: 1 },
    ]);
    await fc.assert(
      fc.asyncProperty(text, wide, (a, b) =>
        checkRowById(harness, { table: 'by_both', row: { a, b } }),
      ),
      { numRuns: 25 },
    );
  });

  test('of two texts distinguish their parts', async () => {
    await harness.createTables([
      tableOf('by_texts', [columnOf('a', name), columnOf('b', name), note], {
        primaryKey: { columns: ['a', 'b'] },
      }),
    ]);
    await harness.insertRows('by_texts', [
      { a: 'x,y', b: 'z' },
      { a: 'x', b: 'y,z' },
      { a: '', b: '' },
    ]);
    expect(readBody(await harness.get('by_texts', 'x%2Cy,z'))).toMatchObject({ a: 'x,y' });
    expect(readBody(await harness.get('by_texts', 'x,y%2Cz'))).toMatchObject({ a: 'x' });
    expect(readBody(await harness.get('by_texts', ','))).toMatchObject({ a: '' });
    await fc.assert(
      fc.asyncProperty(text, text, (a, b) =>
        checkRowById(harness, { table: 'by_texts', row: { a, b } }),
      ),
      { numRuns: 20 },
    );
  });

  test('of other types address their rows', async () => {
    const kinds = {
      by_uuid: [{ kind: 'uuid' }, '6fa459ea-ee8a-4ca4-894e-db77e160355e'],
      by_date: [{ kind: 'date' }, '2026-01-31'],
      by_decimal: [{ kind: 'decimal', precision: 12, scale: 2 }, 10.25],
      by_moment: [{ kind: 'timestamp', precision: 6 }, '2026-01-31 13:05:00.123456'],
    } as const;
    for (const [table, [type, k]] of Object.entries(kinds)) {
      await harness.createTables([
        tableOf(table, [columnOf('k', type), note], { primaryKey: { columns: ['k'] } }),
      ]);
      await checkRowById(harness, { table, row: { k } });
    }
  });

  test('of binary address their rows', async () => {
    await harness.createTables([
      tableOf('by_bytes', [columnOf('k', { kind: 'binary', length: 16 }), note], {
        primaryKey: { columns: ['k'] },
      }),
    ]);
    for (const hex of ['00', 'ff00ff', '2c2f7e2e', '61']) {
      await checkRowById(harness, {
        table: 'by_bytes',
        row: { k: { $base64: Buffer.from(hex, 'hex').toString('base64') } },
      });
    }
  });

  test('of a unique key are used if there is no primary key', async () => {
    const unique = {
      name: 'by_unique_k',
      unique: true,
      constraint: true,
      parts: [{ column: 'k' }],
    };
    await harness.createTables([
      tableOf('by_unique', [columnOf('k', name), note], { indexes: [unique] }),
    ]);
    await harness.insertRows('by_unique', [{ k: 'other' }]);
    for (const k of ['a,b', '~.', 'x'])
      await checkRowById(harness, { table: 'by_unique', row: { k } });
  });

  test('address the row even after its key has changed', async () => {
    await harness.createTables([
      tableOf('moving', [columnOf('a', int), columnOf('b', name)], {
        primaryKey: { columns: ['a', 'b'] },
      }),
    ]);
    await harness.insertRows('moving', [
      { a: 1, b: 'x' },
      { a: 2, b: 'x' },
    ]);
    expect(rowOf(await harness.update('moving', '1,x', { body: { b: 'y,z' } }))).toEqual({
      a: 1,
      b: 'y,z',
    });
    expect(readBody(await harness.get('moving', '1,y%2Cz'))).toEqual({ a: 1, b: 'y,z' });
    expect(await failureOf(harness.get('moving', '1,x'))).toMatchObject({ code: 'row_not_found' });
  });

  describe('are rejected', () => {
    harness.beforeTests(async () => {
      await harness.createTables([tableWithId('numbered_rows', [])]);
      await harness.insertRows('numbered_rows', [{ id: 1 }]);
    });

    test.each(['abc', '1.5', '1,2', '', '~', ' 1', '0x1', '1 OR 1=1', '99999999999999999999'])(
      'if they are not numbers: %s',
      async (text) => {
        const id = encodeSegment(text);
        expect(await failureOf(harness.get('numbered_rows', id))).toMatchObject({
          code: 'invalid_id',
        });
        expect(
          await failureOf(harness.update('numbered_rows', id, { body: { id: 7 } })),
        ).toMatchObject({ code: 'invalid_id' });
        expect(await failureOf(harness.remove('numbered_rows', id))).toMatchObject({
          code: 'invalid_id',
        });
        expect(await harness.list('numbered_rows')).toMatchObject({ data: [{ id: 1 }] });
      },
    );

    test('with a wrong number of parts', async () => {
      await harness.createTables([
        tableOf('two_parts', [columnOf('a', int), columnOf('b', int)], {
          primaryKey: { columns: ['a', 'b'] },
        }),
      ]);
      for (const id of ['1', '1,2,3', '1%2C2%2C3', '1%2']) {
        expect(await failureOf(harness.get('two_parts', id))).toMatchObject({ code: 'invalid_id' });
      }
      expect(await failureOf(harness.get('two_parts', '1,x'))).toMatchObject({
        code: 'invalid_id',
      });
    });
  });
});
