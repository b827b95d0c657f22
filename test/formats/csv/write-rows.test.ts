import * as fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { writeCsvTable, writeCsvTables } from '../../../src/formats/csv/write-rows.ts';
import { unzip } from '../read-zip.ts';
import { bytesOf, int, nullable, rowsOf, tablesOf, textOf } from '../writing.ts';
import type { ColumnType } from '../../../src/model/schema.ts';
import type { Value } from '../../../src/model/values.ts';

const writeCell = (value: Value, type?: ColumnType, formulas: 'guarded' | 'raw' = 'guarded') =>
  textOf(writeCsvTable(rowsOf('t', [nullable('v', type)], [[value]]), { formulas }));

describe('a cell of CSV', () => {
  test.each<readonly [title: string, value: Value, type: ColumnType, cell: string]>([
    ['NULL', null, { kind: 'text' }, ''],
    ['the empty text', '', { kind: 'text' }, '""'],
    ['plain text', 'a b', { kind: 'text' }, 'a b'],
    ['a comma', 'a,b', { kind: 'text' }, '"a,b"'],
    ['a quote', 'a"b', { kind: 'text' }, '"a""b"'],
    ['line breaks', 'a\nb\rc', { kind: 'text' }, '"a\nb\rc"'],
    ["the end of COPY's data", '\\.', { kind: 'text' }, '"\\."'],
    ['a formula', '=1', { kind: 'text' }, "'=1"],
    ['a guarded formula', "'=1", { kind: 'text' }, "''=1"],
    ['an apostrophe', "'a", { kind: 'text' }, "'a"],
    ['a formula behind a tab', '\t1', { kind: 'text' }, "'\t1"],
    ['an interval', '-1 days', { kind: 'interval' }, "'-1 days"],
    ['a negative number', -5, { kind: 'integer', bits: 32 }, '-5'],
    ['a negative decimal', '-5.10', { kind: 'decimal' }, '-5.10'],
    ['a large integer', 9007199254740993n, { kind: 'integer', bits: 64 }, '9007199254740993'],
    ['the negative zero', -0, { kind: 'float', bits: 64 }, '-0'],
    ['infinity', -Infinity, { kind: 'float', bits: 64 }, '-Infinity'],
    ['true', true, { kind: 'boolean' }, 'true'],
    ['another number in a flag', 2, { kind: 'boolean' }, '2'],
    ['bytes', Buffer.from([0, 255]), { kind: 'binary' }, '\\x00ff'],
    ['no bytes', Buffer.from([]), { kind: 'binary' }, '\\x'],
    ['JSON', '{"a": 1.50}', { kind: 'json' }, '"{""a"": 1.50}"'],
    ["JSON's null", 'null', { kind: 'json' }, 'null'],
    ['an array', '[1,2]', { kind: 'array', of: { kind: 'text' } }, '"[1,2]"'],
  ])('of %s is written exactly', async (_what, value, type, cell) => {
    expect(await writeCell(value, type)).toBe(`v\n${cell}\n`);
  });

  test('has no formula guard on request', async () => {
    expect(await writeCell('=1', { kind: 'text' }, 'raw')).toBe('v\n=1\n');
  });

  test('of any text is read back by another parser, except for NULL', async () => {
    const columns = [nullable('a'), nullable('b, "c"'), nullable('d')];
    const cell = fc.option(
      fc.oneof(
        fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
        fc.stringMatching(/^[",\n\r'=+@\t ;|\\.-]{0,6}$/),
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell, cell), { maxLength: 10 }), async (rows) => {
        const bytes = await bytesOf(writeCsvTable(rowsOf('t', columns, rows), { formulas: 'raw' }));
        const read = parse(bytes, {
          cast: (text, { quoting }) => (text === '' && !quoting ? null : text),
          relax_column_count: false,
        });
        expect(read).toEqual([columns.map(({ name }) => name), ...rows]);
      }),
    );
  });
});

describe('CSV in another style', () => {
  test('of any text is read back by another parser, which tells NULL from a text like it', async () => {
    const columns = [nullable('a'), nullable('b', int), nullable('c')];
    const nullText = fc.constantFrom(undefined, '', 'NULL', '-', '\\N', '5');
    const text = fc.oneof(
      fc.constantFrom('', 'NULL', '-', '\\N', '5'),
      fc.stringMatching(/^[",\n\r'=+@\t ;|\\.-]{0,6}$/),
    );
    const row = fc.tuple(
      fc.option(text),
      fc.option(fc.integer({ min: 0, max: 9 })),
      fc.option(text),
    );
    const style = fc.record({
      formulas: fc.constant('raw' as const),
      delimiter: fc.constantFrom(undefined, ',', ';', '\t', '|'),
      hasByteOrderMark: fc.boolean(),
      nullText,
    });
    await fc.assert(
      fc.asyncProperty(style, fc.array(row, { maxLength: 10 }), async (requested, rows) => {
        const bytes = await bytesOf(writeCsvTable(rowsOf('t', columns, rows), requested));
        expect(bytes.subarray(0, 3).equals(Buffer.from('\ufeff'))).toBe(requested.hasByteOrderMark);
        const read = parse(bytes, {
          bom: true,
          delimiter: requested.delimiter ?? ',',
          cast: (cell, { quoting }) =>
            !quoting && cell === (requested.nullText ?? '') ? null : cell,
          relax_column_count: false,
        });
        const texts = rows.map((cells) => cells.map((cell) => (cell === null ? null : `${cell}`)));
        expect(read).toEqual([columns.map(({ name }) => name), ...texts]);
      }),
    );
  });
});

describe('a header of CSV', () => {
  test('quotes names that look like a delimiter, a byte order mark or a formula', async () => {
    const names = ['id', 'größe', 'a;b', 'a\tb', '', '\ufeffx', '=x', 'a b', 'x"y'];
    const columns = names.map((name) => nullable(name));
    expect(await textOf(writeCsvTable(rowsOf('t', columns, []), { formulas: 'guarded' }))).toBe(
      `id,größe,"a;b","a\tb","","\ufeffx","'=x","a b","x""y"\n`,
    );
  });
});

describe('a zip of CSVs', () => {
  test('has a file for each table, with the exact table name in the comment', async () => {
    const names = ['users', 'Users', 'a/b', 'a%2Fb', 'con', '日本', 'dot.', '..', 'x'.repeat(300)];
    const tables = names.map((name) => rowsOf(name, [nullable('v', int)], [[1]]));
    const files = await unzip(
      await bytesOf(writeCsvTables(tablesOf(...tables), { formulas: 'guarded' })),
    );
    expect(files.map(({ comment }) => comment)).toEqual(names);
    expect(files.map(({ name }) => name)).toEqual([
      'users.csv',
      'Users (2).csv',
      'a%2Fb.csv',
      'a%252Fb.csv',
      '%63on.csv',
      '日本.csv',
      'dot%2E.csv',
      '%2E%2E.csv',
      `${'x'.repeat(200)}.csv`,
    ]);
    for (const { bytes } of files) expect(bytes.toString()).toBe('v\n1\n');
  });

  test('without tables is an empty archive', async () => {
    expect(await unzip(await bytesOf(writeCsvTables(tablesOf(), { formulas: 'guarded' })))).toEqual(
      [],
    );
  });

  test('fails if a table cannot be read, and closes its source', async () => {
    let isClosed = false;
    async function* failingBatches(): AsyncGenerator<readonly (readonly Value[])[]> {
      try {
        yield [['x']];
        throw new Error('The server is gone.');
      } finally {
        isClosed = true;
      }
    }
    const rows = { ...rowsOf('t', [nullable('v')], []), batches: failingBatches() };
    await expect(bytesOf(writeCsvTables(tablesOf(rows), { formulas: 'guarded' }))).rejects.toThrow(
      'The server is gone.',
    );
    expect(isClosed).toBe(true);
  });

  test('closes its source when the reader stops', async () => {
    let isClosed = false;
    async function* endlessBatches(): AsyncGenerator<readonly (readonly Value[])[]> {
      try {
        for (let i = 0; ; i++)
          yield Array.from({ length: 1000 }, () => [String(Math.random() + i)]);
      } finally {
        isClosed = true;
      }
    }
    const rows = { ...rowsOf('t', [nullable('v')], []), batches: endlessBatches() };
    let bytes = 0;
    for await (const part of writeCsvTables(tablesOf(rows), { formulas: 'guarded' })) {
      bytes += part.length;
      if (bytes > 1_000_000) break;
    }
    expect(isClosed).toBe(true);
  });
});
