import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { readXlsx } from 'hucre/xlsx';
import { afterAll, describe, expect, test } from 'vitest';
import { splitRows } from '../../../src/formats/xlsx/split-rows.ts';
import { writeXlsxTables } from '../../../src/formats/xlsx/write-rows.ts';
import { readXlsx as readWorkbook } from '../../../src/formats/xlsx/read.ts';
import { unzip } from '../read-zip.ts';
import { readAll, column, table as tableOf } from '../run-reader.ts';
import { bytesOf, int, nullable, rowsOf, tablesOf } from '../writing.ts';
import type { TableRows } from '../../../src/formats/row-export.ts';
import type { ColumnType } from '../../../src/model/schema.ts';
import type { Row, Value } from '../../../src/model/values.ts';

const folder = mkdtempSync(join(tmpdir(), 'studio-xlsx-write-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function read(tables: readonly TableRows[], formulas: 'guarded' | 'raw' = 'guarded') {
  const bytes = await bytesOf(writeXlsxTables(tablesOf(...tables), formulas));
  const { sheets } = await readXlsx(bytes);
  return sheets.map(({ name, rows }) => ({ name, rows }));
}

async function cellOf(value: Value, type: ColumnType, formulas?: 'raw'): Promise<unknown> {
  const columns = [nullable('id', int), nullable('v', type)];
  const [sheet] = await read([rowsOf('t', columns, [[1, value]])], formulas);
  return sheet?.rows[1]?.[1] ?? null;
}

const decimal: ColumnType = { kind: 'decimal' };
const cents: ColumnType = { kind: 'decimal', precision: 12, scale: 2 };
const float: ColumnType = { kind: 'float', bits: 64 };
const text: ColumnType = { kind: 'text' };

describe('a cell of a workbook', () => {
  test.each<readonly [title: string, value: Value, type: ColumnType, cell: unknown]>([
    ['NULL', null, text, null],
    ['the empty text, which is nothing', '', text, null],
    ['blanks', '  a  ', text, '  a  '],
    ['markup', '<b>&amp;"\'</b>', text, '<b>&amp;"\'</b>'],
    ['line breaks', 'a\nb\r\nc\rd', text, 'a\nb\r\nc\rd'],
    ['title XML cannot say', 'a\0\u0001\u001f\uffff', text, 'a\0\u0001\u001f\uffff'],
    ['title looks like an escape', '_x0041_ _x00e4_ _x_', text, '_x0041_ _x00e4_ _x_'],
    ['emoji', '😀', text, '😀'],
    ['a formula', '=1', text, "'=1"],
    ['text like a number', '007', text, '007'],
    ['text like true', 'true', text, 'true'],
    ['a number', 42, int, 42],
    ['a negative number', -1.5, float, -1.5],
    ['all digits of a double', 0.30000000000000004, float, 0.30000000000000004],
    ['a large double', 1e21, float, 1e21],
    ['more than a double holds', 9007199254740993n, int, '9007199254740993'],
    ['a decimal', '10.25', cents, 10.25],
    ['zeros that the scale gives back', '10.50', cents, 10.5],
    ['zeros that nothing gives back', '10.50', decimal, '10.50'],
    ['a long decimal', '12345678901234567890.5', decimal, '12345678901234567890.5'],
    ['the negative zero', -0, float, '-0'],
    ['infinity', Infinity, float, 'Infinity'],
    ['true', true, { kind: 'boolean' }, true],
    ['false', 0, { kind: 'boolean' }, false],
    ['a day before the dates of spreadsheets', '1900-02-28', { kind: 'date' }, '1900-02-28'],
    ['a day that does not exist', '2026-02-30', { kind: 'date' }, '2026-02-30'],
    ['an infinite day', 'infinity', { kind: 'date' }, 'infinity'],
    ['a time of 24 hours', '24:00:00', { kind: 'time' }, '24:00:00'],
    ['a negative time', '-01:00:00', { kind: 'time' }, "'-01:00:00"],
    ['bytes', Buffer.from([1, 255]), { kind: 'binary' }, '\\x01ff'],
    ['JSON', '[1,2]', { kind: 'json' }, '[1,2]'],
  ])('is exact: %s', async (_what, value, type, cell) => {
    expect(await cellOf(value, type)).toBe(cell);
  });

  test('has no formula guard on request', async () => {
    expect(await cellOf('=1', text, 'raw')).toBe('=1');
  });

  test('can contain at most 32,767 characters', async () => {
    const longest = 'ä'.repeat(32_767);
    expect(await cellOf(longest, text)).toBe(longest);
    await expect(cellOf(`${longest}x`, text)).rejects.toMatchObject({
      code: 'invalid_value',
      message:
        'Table "t", row 1: column "v" contains 32768 characters; a cell of a spreadsheet takes up to 32767.',
      details: { table: 't', row: 1, column: 'v' },
    });
  });

  test('of any text is read back', async () => {
    const any = fc.string({ unit: 'binary', minLength: 1 }).filter((value) => value.isWellFormed());
    await fc.assert(
      fc.asyncProperty(fc.array(any, { minLength: 1, maxLength: 5 }), async (values) => {
        const rows = values.map((value, i) => [i, value]);
        const columns = [nullable('id', int), nullable('v')];
        const [sheet] = await read([rowsOf('t', columns, rows)], 'raw');
        expect(sheet?.rows.slice(1).map(([, value]) => value)).toEqual(values);
      }),
      { numRuns: 40 },
    );
  });
});

describe('a workbook', () => {
  test('has a sheet for each table, with names that spreadsheets accept', async () => {
    const names = ['users', 'USERS', 'a/b:c', "'quoted'", 'x'.repeat(40), 'History', ''];
    const sheets = await read(names.map((name) => rowsOf(name, [nullable('id', int)], [[1]])));
    expect(sheets.map(({ name }) => name)).toEqual([
      'users',
      'USERS (2)',
      'a_b_c',
      '_quoted_',
      'x'.repeat(31),
      'History (2)',
      'Sheet',
    ]);
    for (const { rows } of sheets) expect(rows).toEqual([['id'], [1]]);
  });

  test('has the exact table name of every sheet', async () => {
    const anyName = fc.string({ unit: 'binary', maxLength: 60 });
    const names = fc.uniqueArray(anyName, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(names, async (tableNames) => {
        const written = tableNames.map((name, i) => rowsOf(name, [nullable('id', int)], [[i]]));
        const path = join(folder, 'all.xlsx');
        writeFileSync(path, await bytesOf(writeXlsxTables(tablesOf(...written), 'guarded')));
        const tables = tableNames.map((name) => tableOf(name, [column('id', int)]));
        const { rows, errors, failure } = await readAll(tables, (reading) =>
          readWorkbook({ name: 'all.xlsx', path, limitBytes: 2 ** 30 }, reading, {
            sheet: undefined,
            isTableNamed: false,
            formulas: 'guarded',
            onRead: () => undefined,
          }),
        );
        expect({ errors, failure }).toEqual({ errors: [], failure: undefined });
        expect(rows.map((row) => [row.table, Number(row.values['id'])])).toEqual(
          tableNames.map((name, i) => [name, i]),
        );
      }),
      { numRuns: 30 },
    );
  });

  test('without tables has an empty sheet', async () => {
    expect(await read([])).toHaveLength(1);
  });

  test('has its cells in the correct columns, in wide tables too', async () => {
    const columns = Array.from({ length: 800 }, (_, i) => nullable(`c${i}`, int));
    const row = columns.map((_, i) => (i % 3 === 0 ? null : i));
    const [sheet] = await read([rowsOf('wide', columns, [row])]);
    const cells = Array.from({ length: 800 }, (_, i) => sheet?.rows[1]?.[i] ?? null);
    expect(cells).toEqual(row);
  });

  test('is rejected for a table with more columns than a sheet can have', async () => {
    const columns = Array.from({ length: 16_385 }, (_, i) => nullable(`c${i}`, int));
    await expect(read([rowsOf('too wide', columns, [])])).rejects.toMatchObject({
      code: 'invalid_value',
    });
  });

  test('declares the types of its parts', async () => {
    const files = await unzip(
      await bytesOf(writeXlsxTables(tablesOf(rowsOf('t', [nullable('v')], [])), 'guarded')),
    );
    expect(files.map(({ name }) => name)).toEqual([
      '[Content_Types].xml',
      '_rels/.rels',
      'xl/worksheets/sheet1.xml',
      'xl/styles.xml',
      'docProps/custom.xml',
      'xl/workbook.xml',
      'xl/_rels/workbook.xml.rels',
    ]);
  });
});

describe('a date in a workbook', () => {
  const firstDay = Date.UTC(1900, 2, 1);
  const lastDay = Date.UTC(9999, 11, 31);
  const day = fc
    .integer({ min: 0, max: (lastDay - firstDay) / 86_400_000 })
    .map((days) => new Date(firstDay + days * 86_400_000).toISOString().slice(0, 10));
  const time = fc
    .tuple(fc.integer({ min: 0, max: 86_399 }), fc.stringMatching(/^(?:|\.\d{1,7})$/))
    .map(([seconds, fraction]) => new Date(seconds * 1000).toISOString().slice(11, 19) + fraction);
  const kinds = {
    date: { type: { kind: 'date' }, value: day },
    time: { type: { kind: 'time', precision: 7 }, value: time },
    timestamp: {
      type: { kind: 'timestamp', zone: false, precision: 7 },
      value: fc.tuple(day, time).map((parts) => parts.join('T')),
    },
    'timestamp of UTC': {
      type: { kind: 'timestamp', zone: true, precision: 7 },
      value: fc.tuple(day, time).map((parts) => `${parts.join('T')}Z`),
    },
  } satisfies Record<string, { type: ColumnType; value: fc.Arbitrary<string> }>;

  async function readBack(value: string, type: ColumnType, dynamic: boolean): Promise<unknown> {
    const columns = [{ ...nullable('v', type), ...(dynamic && { dynamic }) }];
    const path = join(folder, 'date.xlsx');
    const bytes = await bytesOf(
      writeXlsxTables(tablesOf(rowsOf('t', columns, [[value]])), 'guarded'),
    );
    writeFileSync(path, bytes);
    const { rows, errors, failure } = await readAll(
      [tableOf('t', [{ ...column('v', type), ...(dynamic && { dynamic }) }])],
      (reading) =>
        readWorkbook({ name: 'date.xlsx', path, limitBytes: 2 ** 30 }, reading, {
          sheet: undefined,
          isTableNamed: false,
          formulas: 'guarded',
          onRead: () => undefined,
        }),
    );
    expect({ errors, failure }).toEqual({ errors: [], failure: undefined });
    return rows[0]?.values['v'];
  }

  const withoutLastZeros = (text: string) =>
    text.includes('.') ? text.replace(/\.?0+(Z?)$/, '$1') : text;

  test.each(Object.entries(kinds))(
    'of kind %s is a date for other programs, and is read back exactly',
    async (_kind, { type, value }) => {
      await fc.assert(
        fc.asyncProperty(value, async (text) => {
          const cell = await cellOf(text, type);
          expect(cell).toBeInstanceOf(Date);
          const expected = Date.parse(
            `${text.includes('-') ? '' : '1899-12-31T'}${text.replace(/(\.\d{3})\d+/, '$1').replace(/Z?$/, text.includes(':') ? 'Z' : '')}`,
          );
          // Programs without the digits below a millisecond round them.
          expect(Math.abs((cell as Date).getTime() - expected)).toBeLessThanOrEqual(1);
          const stored = await readBack(text, type, false);
          expect(withoutLastZeros(String(stored))).toBe(withoutLastZeros(text));
        }),
        { numRuns: 150 },
      );
    },
  );

  test('of a column that stores any text keeps that text', async () => {
    const separated = fc
      .tuple(day, fc.constantFrom(' ', 'T', ''), time, fc.constantFrom('', 'Z', '+00:00'))
      .map((parts) => parts.join(''));
    const types: readonly ColumnType[] = Object.values(kinds).map(({ type }) => type);
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(day, time, separated),
        fc.constantFrom(...types),
        async (text, type) => {
          expect(await readBack(text, type, true)).toBe(text);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('rows beyond the limit of a sheet', () => {
  async function* batches(sizes: readonly number[]): AsyncGenerator<readonly Row[]> {
    let number = 0;
    for (const size of sizes) yield Array.from({ length: size }, () => [number++]);
  }

  test.each([
    [[], [0]],
    [[3], [3]],
    [[4], [4]],
    [[5], [4, 1]],
    [
      [4, 4],
      [4, 4],
    ],
    [
      [1, 2, 3, 4],
      [4, 4, 2],
    ],
    [[10], [4, 4, 2]],
    [[0, 4, 0], [4]],
  ])('continue in the next sheet: batches of %j give sheets of %j', async (sizes, expected) => {
    const found: Row[][] = [];
    for await (const sheet of splitRows(batches(sizes), 4)) {
      const rows: Row[] = [];
      for await (const batch of sheet) rows.push(...batch);
      found.push(rows);
    }
    expect(found.map((rows) => rows.length)).toEqual(expected);
    expect(found.flat().map(([number]) => number)).toEqual(found.flat().map((_, i) => i));
  });
});
