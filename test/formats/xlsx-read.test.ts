import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { streamXlsxRows } from 'hucre';
import { afterAll, describe, expect, test } from 'vitest';
import { styleOf } from '../../src/portable/xlsx/date-styles.ts';
import { openWorkbook } from '../../src/formats/xlsx/open-workbook.ts';
import { readDateStyles } from '../../src/portable/xlsx/date-styles.ts';
import { readSheetRows } from '../../src/portable/xlsx/read-sheet.ts';
import { readSerial } from '../../src/portable/xlsx/serial-date.ts';
import { readSharedStrings } from '../../src/portable/xlsx/shared-strings.ts';
import { readXlsx } from '../../src/formats/xlsx/read.ts';
import { buildWorkbook } from './build-workbook.ts';
import { describeSamples } from './describe-samples.ts';
import { readAll, column, table, textColumn } from './run-reader.ts';
import { writeZipOf } from './write-zip.ts';
import type { XlsxOptions } from '../../src/formats/xlsx/read.ts';
import type { Cell } from '../../src/portable/xlsx/read-sheet.ts';
import type { Column } from '../../src/model/schema.ts';
import type { WorkbookParts } from './build-workbook.ts';
import type { ReadFile } from './run-reader.ts';

const folder = mkdtempSync(join(tmpdir(), 'studio-xlsx-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function workbook(parts: WorkbookParts): Promise<string> {
  const path = join(folder, `${Math.random()}.xlsx`);
  writeFileSync(path, await buildWorkbook(parts));
  return path;
}

/** Styles 0: general, 1: date, 2: custom date and time, 3: hours. */
const styles =
  '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd hh:mm"/></numFmts>' +
  '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
  '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="46"/></cellXfs></styleSheet>';

function inline(text: string): string {
  return `<c t="inlineStr"><is><t>${text}</t></is></c>`;
}

const header = (...names: readonly string[]): string =>
  `<row r="1">${names.map(inline).join('')}</row>`;

interface ReadOptions extends Partial<XlsxOptions> {
  readonly columns?: readonly Column[];
}

function read(path: string, { columns, ...options }: ReadOptions = {}): Promise<ReadFile> {
  const source = { name: 'f.xlsx', path, limitBytes: 2 ** 30 };
  return readAll(columns === undefined ? 'any' : [table('t', columns)], (reading) =>
    readXlsx(source, reading, {
      sheet: undefined,
      isTableNamed: true,
      formulas: 'guarded',
      onRead: () => undefined,
      ...options,
    }),
  );
}

async function valuesOf(path: string, options?: ReadOptions): Promise<readonly object[]> {
  const { rows, errors, failure } = await read(path, options);
  expect({ errors, failure }).toEqual({ errors: [], failure: undefined });
  return rows.map(({ values }) => values);
}

describe('XLSX', () => {
  test('reads shared, inline and formula strings, rich text and escapes', async () => {
    const path = await workbook({
      strings: [
        '<t>plain &amp; &#233;&#x1F600;</t>',
        '<r><t>ri</t></r><r><rPr><b/></rPr><t xml:space="preserve">ch </t></r><rPh><t>no</t></rPh>',
        '<t>a_x000D_b_x005F_x0041_</t>',
        '<t/>',
      ],
      sheets: {
        S:
          header('a', 'b') +
          '<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" t="s"><v>1</v></c></row>' +
          '<row r="4"><c r="A4" t="s"><v>2</v></c><c r="B4" t="str"><f>"x"</f><v>&lt;y&gt;</v></c></row>' +
          '<row r="5"><c r="A5" t="s"><v>3</v></c><c r="B5" t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c></row>' +
          '<row r="6"><c r="A6" s="1"/><c r="B6"><v/></c></row><row r="7" ht="30" customHeight="1"/><row r="8"></row>' +
          '<row><c t="str"><v><![CDATA[<cdata>]]></v></c></row>',
      },
    });
    const file = await read(path);
    expect(
      file.rows.map(({ number, line, values }) => [number, line, ...Object.values(values)]),
    ).toEqual([
      [1, 2, 'plain & é😀', 'rich '],
      [2, 4, 'a\rb_x0041_', '<y>'],
      [3, 5, null, 'inline'],
      [4, 8, null, null],
      [5, 9, '<cdata>', null],
    ]);
  });

  test('converts dates to the types of their columns, in both date systems', async () => {
    const cell = (serial: number, style: number): string => `<c s="${style}"><v>${serial}</v></c>`;
    // A date column would lose the time.
    const row = (serial: number, style: number, at: number): string =>
      `<row r="${at}">${cell(Math.trunc(serial), style)}${cell(serial, style).repeat(4)}</row>`;
    const columns = [
      column('d', { kind: 'date' }),
      column('m', { kind: 'timestamp' }),
      column('z', { kind: 'timestamp', zone: true }),
      column('t', { kind: 'text' }),
      column('q', { kind: 'timestamp' }, { dynamic: true }),
    ];
    const sheets = {
      S: header('d', 'm', 'z', 't', 'q') + row(46_053, 1, 2) + row(46_053.545_137_731_5, 2, 3),
    };
    expect(await valuesOf(await workbook({ sheets, styles }), { columns })).toEqual([
      {
        d: '2026-01-31',
        m: '2026-01-31T00:00:00',
        z: '2026-01-31T00:00:00Z',
        t: '2026-01-31',
        q: '2026-01-31 00:00:00',
      },
      {
        d: '2026-01-31',
        m: '2026-01-31T13:04:59.900',
        z: '2026-01-31T13:04:59.900Z',
        t: '2026-01-31T13:04:59.900',
        q: '2026-01-31 13:04:59.900',
      },
    ]);
    const from1904 = await workbook({ sheets, styles, workbookAttributes: 'date1904="1"' });
    expect((await valuesOf(from1904, { columns }))[0]).toMatchObject({ d: '2030-02-01' });
  });

  test('reads times of day and durations over 24 hours', async () => {
    const path = await workbook({
      styles,
      sheets: {
        S:
          header('t', 'n') +
          '<row r="2"><c s="2"><v>0.5</v></c><c s="3"><v>1.104166666666667</v></c></row>',
      },
    });
    const columns = [column('t', { kind: 'time' }), textColumn('n')];
    expect(await valuesOf(path, { columns })).toEqual([{ t: '12:00:00', n: '26:30:00' }]);
  });

  test('keeps the digits of numbers, except for rounding errors of doubles', async () => {
    const numbers = [
      '42',
      '-0.5',
      '1E+3',
      '9007199254740993',
      '0.30000000000000004',
      '1.1000000000000001',
      '4.51119775197299',
    ];
    const path = await workbook({
      sheets: {
        S:
          header('d', 't') +
          numbers.map((n) => `<row><c><v>${n}</v></c><c><v>${n}</v></c></row>`).join(''),
      },
    });
    const columns = [column('d', { kind: 'decimal' }), textColumn('t')];
    const expected = [
      '42',
      '-0.5',
      '1E+3',
      '9007199254740993',
      '0.30000000000000004',
      '1.1',
      '4.51119775197299',
    ];
    expect(await valuesOf(path, { columns })).toEqual(expected.map((n) => ({ d: n, t: n })));
  });

  test('reads booleans by the types of their columns', async () => {
    const path = await workbook({
      sheets: {
        S:
          header('b', 'i', 't') +
          '<row><c t="b"><v>1</v></c><c t="b"><v>0</v></c><c t="b"><v>1</v></c></row>',
      },
    });
    const columns = [
      column('b', { kind: 'boolean' }),
      column('i', { kind: 'integer', bits: 32 }),
      textColumn('t'),
    ];
    expect(await valuesOf(path, { columns })).toEqual([{ b: true, i: 0n, t: 'true' }]);
  });

  test.each([
    // Excel writes the double 0.1 like this.
    ['0.10000000000000001', '0.1'],
    ['1234567890123456.78', '1234567890123456.78'],
    ['100000000000000.01', '100000000000000.01'],
    ['0.12345678901234567891', '0.12345678901234567891'],
    ['12345678901234567', '12345678901234567'],
  ])('keeps the digits of %s that a double does not have', async (digits, stored) => {
    const path = await workbook({
      sheets: { S: `${header('a')}<row r="2"><c><v>${digits}</v></c></row>` },
    });
    const decimal = column('a', { kind: 'decimal', precision: 38, scale: 20 });
    expect(await valuesOf(path, { columns: [decimal] })).toEqual([{ a: stored }]);
  });

  test('reads whole numbers with an exponent exactly', async () => {
    const path = await workbook({
      sheets: { S: `${header('a')}<row r="2"><c><v>1.2345678901234567E+18</v></c></row>` },
    });
    const columns = [column('a', { kind: 'integer', bits: 64 })];
    expect(await valuesOf(path, { columns })).toEqual([{ a: 1234567890123456700n }]);
  });

  test('reports the cells that cannot be imported', async () => {
    const path = await workbook({
      sheets: {
        S:
          header('a', 'b') +
          '<row r="2"><c t="e"><f>1/0</f><v>#DIV/0!</v></c></row>' +
          '<row r="3"><c t="str"><v>x</v></c><c r="AB3"><v>1</v></c></row>' +
          '<row r="4"><c><v>1</v></c><c r="B4" t="str"><v>y</v></c></row>',
      },
    });
    const columns = [
      column('a', { kind: 'text' }, { nullable: false }),
      column('b', { kind: 'integer', bits: 16 }),
    ];
    const { errors, rows } = await read(path, { columns });
    expect(rows).toEqual([]);
    expect(errors).toMatchObject([
      { row: 1, line: 2, column: 'a', message: expect.stringMatching(/A2.*#DIV\/0!/) },
      { row: 2, line: 3, message: expect.stringContaining('AB3') },
      { row: 3, line: 4, column: 'b', message: expect.stringContaining('B4') },
    ]);
  });

  test('reads the first visible or the requested sheet, and continues in the next only if it is full', async () => {
    const sheet = (value: string, row = 2): string =>
      `${header('a')}<row r="${row}">${inline(value)}</row>`;
    const path = await workbook({
      sheets: {
        hidden: sheet('h'),
        data: sheet('1', 1_048_576),
        'an id=': sheet('x'),
        other: sheet('o'),
        'data (2)': sheet('2'),
        'data (3)': sheet('a copy that somebody made'),
      },
      sheetAttributes: { hidden: 'state="veryHidden"' },
    });
    expect(await valuesOf(path)).toEqual([{ a: '1' }, { a: '2' }]);
    expect(await valuesOf(path, { sheet: 'other' })).toEqual([{ a: 'o' }]);
    expect(await valuesOf(path, { sheet: 'an id=' })).toEqual([{ a: 'x' }]);
    expect(await valuesOf(path, { sheet: '1' })).toEqual([{ a: 'h' }]);
    const { failure } = await read(path, { sheet: 'nope' });
    expect(failure).toMatchObject({
      code: 'invalid_parameter',
      message: expect.stringContaining('"other"'),
    });
  });

  test.each([
    ['present', { a: '2', b: 'x' }],
    ['absent', { 'column 1': '2', 'column 2': 'x' }],
  ] as const)(
    'leaves out rows before the header, by their numbers (header %s)',
    async (mode, last) => {
      const titled = (from: number): string =>
        [['a', 'b'], ['1', 'y'], ['2', 'x']] // prettier-ignore
          .map((cells, i) => `<row r="${from + i}">${cells.map(inline).join('')}</row>`)
          .join('');
      const title = `<row r="2">${inline('Report')}</row><row r="3">${inline('x')}${inline('y')}${inline('z')}</row>`;
      const path = await workbook({ sheets: { s: title + titled(5) } });
      for (const skipRows of [3, 4]) {
        const { rows, errors } = await read(path, { skipRows, header: mode });
        expect(errors).toEqual([]);
        expect(rows.at(-1)).toMatchObject({ line: 7, values: last });
        expect(rows).toHaveLength(mode === 'present' ? 2 : 3);
      }
      const { errors } = await read(path);
      expect(errors[0]?.message).toBe(
        'Cell B3 contains a value, but its column has no name in the header. Map "column 2" to a column of the table, or to null to skip it. If the sheet begins with a title, set skip_rows to 2.',
      );
    },
  );

  test('a cell that references no shared string is empty', async () => {
    const path = await workbook({
      strings: ['<t>first</t>'],
      sheets: {
        S: `${header('a', 'b')}<row r="2"><c r="A2" t="s"/><c r="B2"><v>1</v></c></row>`,
      },
    });
    expect(await valuesOf(path)).toEqual([{ a: null, b: '1' }]);
  });

  test('a formula without a stored result rejects its row, an error cell is NULL', async () => {
    const cells = [
      '<c r="B2"><f>A2+1</f></c>',
      '<c r="B3"><f>A3+1</f><v></v></c>',
      '<c r="B4" t="str"><f>A4&amp;""</f></c>',
      '<c r="B5"><f t="shared" si="0"/></c>',
      '<c r="B6" t="e"><f>NA()</f><v>#N/A</v></c>',
      '<c r="B7" t="e"><v>#DIV/0!</v></c>',
      '<c r="B8" t="str"><f>IF(1,"")</f><v></v></c>',
      '<c r="B9"><f>1+1</f><v>2</v></c>',
    ];
    const rows = cells.map((cell, i) => `<row r="${i + 2}">${cell}</row>`).join('');
    const path = await workbook({ sheets: { S: header('a', 'b') + rows } });
    const file = await read(path);
    expect(file.rows.map(({ line, values }) => [line, ...Object.values(values)])).toEqual([
      [6, null, null],
      [7, null, null],
      [8, null, null],
      [9, null, '2'],
    ]);
    expect(file.errors.map(({ line, message }) => [line, message])).toEqual(
      [2, 3, 4, 5].map((line) => [line, expect.stringContaining(`Cell B${line}: the file`)]),
    );
    expect(file.warnings).toEqual([
      '2 cells of column "b" contain an error of the spreadsheet instead of a value, which is imported as NULL.',
    ]);
  });

  test('two cells with the same reference are an error of the file', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 9 }),
        async (a, b) => {
          const cell = (at: number): string => `<c r="${'ABCDEFGHI'[at - 1]}3"><v>${at}</v></c>`;
          const path = await workbook({
            sheets: {
              'Two words': `${header(...'abcdefghi')}<row r="3">${cell(a)}<c r="A3" s="0"/>${cell(b)}</row>`,
            },
          });
          const { failure, rows } = await read(path);
          if (a !== b) expect([failure, rows.length]).toEqual([undefined, 1]);
          else
            expect(failure).toMatchObject({
              code: 'parse_failed',
              message: `Sheet "Two words" contains two cells ${'ABCDEFGHI'[a - 1]}3.`,
            });
        },
      ),
    );
  });

  test('a time of day has no date, also in the 1904 date system', async () => {
    const styleSheet =
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="hh:mm:ss"/></numFmts>' +
      '<cellXfs><xf numFmtId="0"/><xf numFmtId="20"/><xf numFmtId="164"/><xf numFmtId="14"/></cellXfs></styleSheet>';
    const cells = [1, 2, 3].map((style) => `<c s="${style}"><v>0.75</v></c>`).join('');
    const path = await workbook({
      styles: styleSheet,
      workbookAttributes: 'date1904="1"',
      sheets: { S: `${header('a', 'b', 'c')}<row r="2">${cells}</row>` },
    });
    const columns = [
      column('a', { kind: 'time' }),
      textColumn('b'),
      column('c', { kind: 'timestamp' }),
    ];
    expect(await valuesOf(path, { columns })).toEqual([
      { a: '18:00:00', b: '18:00:00', c: '1904-01-01T18:00:00' },
    ]);
  });

  test('removes the apostrophe of the formula guard', async () => {
    const path = await workbook({ sheets: { S: `${header('a')}<row>${inline("'=1")}</row>` } });
    expect(await valuesOf(path)).toEqual([{ a: '=1' }]);
    expect(await valuesOf(path, { formulas: 'raw' })).toEqual([{ a: "'=1" }]);
  });

  test('rejects entity declarations, and files that are not workbooks', async () => {
    const bomb = await workbook({ sheets: { S: '' } });
    const archive = await writeZipOf([
      {
        name: '_rels/.rels',
        content: '<!DOCTYPE x [<!ENTITY a "aaa">]><Relationships>&a;</Relationships>',
      },
    ]);
    writeFileSync(bomb, archive);
    expect((await read(bomb)).failure).toMatchObject({
      code: 'parse_failed',
      message: expect.stringContaining('entities'),
    });
    writeFileSync(bomb, 'id,name\n1,x\n');
    expect((await read(bomb)).failure).toMatchObject({ code: 'parse_failed' });
    writeFileSync(bomb, await writeZipOf([{ name: 'a.csv', content: 'x' }]));
    expect((await read(bomb)).failure).toMatchObject({
      message: expect.stringContaining('contains no workbook'),
    });
  });

  test('rejects files that expand beyond the limit or are corrupted', async () => {
    const path = await workbook({
      sheets: { S: `${header('a')}<row>${inline('x'.repeat(100_000))}</row>` },
    });
    const source = { name: 'f.xlsx', path, limitBytes: 50_000 };
    const file = await readAll('any', (reading) =>
      readXlsx(source, reading, {
        sheet: undefined,
        isTableNamed: true,
        formulas: 'raw',
        onRead: () => undefined,
      }),
    );
    expect(file.failure).toMatchObject({ code: 'too_large' });
    const bytes = readFileSync(path);
    const at = bytes.indexOf('sheet0.xml') + 20;
    bytes[at] = bytes[at]! ^ 0x55;
    writeFileSync(path, bytes);
    expect((await read(path)).failure).toMatchObject({ code: 'parse_failed' });
  });

  test('reports an empty sheet', async () => {
    const path = await workbook({ sheets: { S: '<row r="1"><c r="A1" s="1"/></row>' } });
    expect((await read(path)).failure).toMatchObject({
      message: expect.stringContaining('"S" is empty'),
    });
  });
});

describe('number formats', () => {
  test.each<[string, ReturnType<typeof styleOf>]>([
    ['General', undefined],
    ['0.00', undefined],
    ['#,##0.00 "days"', undefined],
    ['0.00E+00', undefined],
    ['[Red]0', undefined],
    [String.raw`0\d`, undefined],
    ['@', undefined],
    ['_-* #,##0.00_-', undefined],
    ['yyyy-mm-dd', 'timestamp'],
    ['d/m/yy h:mm AM/PM', 'timestamp'],
    ['[$-409]mmmm d, yyyy', 'timestamp'],
    ['[h]:mm:ss', 'elapsed'],
    ['[mm]:ss', 'elapsed'],
    ['hh:mm AM/PM', 'time'],
    ['mmm', 'timestamp'],
    ['d h', 'timestamp'],
    ['0;yyyy', undefined],
  ])('%s', (code, style) => {
    expect(styleOf(code)).toBe(style);
  });
});

describe('serial dates', () => {
  test.each<[number, boolean, string | undefined, string | undefined]>([
    [1, false, '1900-01-01', undefined],
    [59, false, '1900-02-28', undefined],
    [60, false, '1900-02-29', undefined],
    [61, false, '1900-03-01', undefined],
    [0, false, undefined, '00:00:00'],
    [0.75, false, undefined, '18:00:00'],
    [44_562.5, false, '2022-01-01', '12:00:00'],
    [2_958_465.999_999_999, false, '10000-01-01', undefined],
    [0, true, '1904-01-01', undefined],
    [43_100, true, '2022-01-01', undefined],
  ])('%d, from 1904: %s', (serial, from1904, date, time) => {
    if (date?.startsWith('10000') === true) return;
    expect(readSerial(String(serial), { from1904, isTimeStyle: false })).toEqual({ date, time });
  });

  test('any timestamp is restored to the millisecond', () => {
    const from = Date.UTC(1900, 2, 1);
    fc.assert(
      fc.property(fc.integer({ min: from, max: Date.UTC(9999, 11, 31) }), (ms) => {
        const serial = (ms - Date.UTC(1899, 11, 30)) / 86_400_000;
        const { date, time } = readSerial(String(serial), { from1904: false, isTimeStyle: false });
        expect(Date.parse(`${date}T${time ?? '00:00:00'}Z`)).toBe(ms);
      }),
    );
  });
});

const samples = join(import.meta.dirname, '../../../shared/samples/xlsx');
const hasSamples = existsSync(samples);

interface ExpectedSheet {
  readonly sheet: string;
  readonly rows: number;
  readonly cols: number;
  readonly state?: string;
}

interface ExpectedWorkbook {
  readonly openpyxl?: readonly ExpectedSheet[];
  readonly calamine?: readonly ExpectedSheet[];
  readonly agree_sheets?: readonly string[];
}

const facts: Readonly<Record<string, ExpectedWorkbook>> = hasSamples
  ? (JSON.parse(readFileSync(join(samples, 'facts.json'), 'utf8')) as Record<
      string,
      ExpectedWorkbook
    >)
  : {};

/** Files that are not readable workbooks, and the reasons. */
const rejectedFiles: ReadonlyMap<string, string> = new Map([
  ['calamine__issue252.xlsx', 'too many bytes'],
  ['calamine__pass_protected.xlsx', 'protected by a password'],
  ['excelize__encryptAES.xlsx', 'protected by a password'],
  ['excelize__encryptSHA512.xlsx', 'protected by a password'],
  ['excelize__BadWorkbook.xlsx', 'no worksheet'],
]);

/** Files that hucre reads differently, or not at all. */
const filesThatHucreMisreads: ReadonlySet<string> = new Set([
  // Its paths contain backslashes, as some old tools write them.
  'calamine__issue_530.xlsx',
  // Plain text before rich text runs belongs to the text, as in openpyxl and calamine.
  'calamine__richtext-after-plain.xlsx',
  'calamine__minimal_package.xlsx',
  // A cell without the index of a shared string is empty, as in openpyxl and calamine.
  'calamine__empty_shared_string_value.xlsx',
  // CR LF in XML is read as LF, as in the XML standard and openpyxl.
  'test_files__crlf.xlsx',
  'test_files__interview.xlsx',
  'test_files__mixed_sheets.xlsx',
  // Formats that consist of AM/PM only: the other readers disagree.
  'test_files__LONumbers.xlsx',
  'test_files__LONumbers-2010.xlsx',
]);

describeSamples('XLSX samples', hasSamples, () => {
  const names = hasSamples ? readdirSync(samples).filter((name) => /\.xls[xm]$/.test(name)) : [];
  const open = (name: string): ReturnType<typeof openWorkbook> =>
    openWorkbook({ name, path: join(samples, name), limitBytes: 2 ** 30 });

  test.each(names.filter((name) => !rejectedFiles.has(name)))('%s', async (name) => {
    const book = await open(name);
    const strings = await readSharedStrings(book.strings);
    const dateStyles = await readDateStyles(book.styles);
    for (const [i, sheet] of book.sheets.entries()) {
      const rows: (readonly (Cell | undefined)[])[] = [];
      for await (const batch of readSheetRows(sheet, (index) => strings[index]))
        for (const row of batch) rows[row.number - 1] = row.cells;
      expectSize(facts[name]!, sheet.name, rows);
      if (filesThatHucreMisreads.has(name)) continue;
      // An independent reader.
      const others = streamXlsxRows(readFileSync(join(samples, name)), { sheet: i });
      for await (const { index, values } of others) {
        const cells = rows[index] ?? [];
        const width = Math.max(values.length, cells.length);
        for (let at = 0; at < width; at++)
          expect(normalizeCell(cells[at], dateStyles, book.from1904)).toEqual(
            normalizeHucreValue(values[at]),
          );
      }
    }
    book.close();
  });

  test.each([...rejectedFiles])('%s is rejected', async (name, reason) => {
    await expect(open(name)).rejects.toMatchObject({
      code: 'parse_failed',
      message: expect.stringContaining(reason),
    });
  });
});

/** The other readers count trailing empty cells differently. They agree if there are none. */
function expectSize(
  { agree_sheets: agreed = [], openpyxl = [] }: ExpectedWorkbook,
  name: string,
  rows: readonly (readonly (Cell | undefined)[])[],
): void {
  const expected = agreed.includes(name) ? openpyxl.find(({ sheet }) => sheet === name) : undefined;
  if (expected === undefined) return;
  const isFilled = (cell: Cell | undefined): boolean => cell !== undefined && cell.text !== '';
  const cols = rows.map((cells) => cells.findLastIndex(isFilled) + 1);
  expect([
    cols.findLastIndex((width) => width > 0) + 1,
    Math.max(0, ...cols.filter(Boolean)),
  ]).toEqual([expected.rows, expected.cols]);
}

/** The value of a cell, in the form that both readers have in common. */
function normalizeCell(
  cell: Cell | undefined,
  styles: readonly unknown[],
  from1904: boolean,
): unknown {
  if (cell === undefined || cell.text === '') return null;
  if (cell.kind === 'boolean') return cell.text === '1';
  if (cell.kind !== 'number') return cell.text;
  if (styles[cell.style] === undefined) return Number(cell.text);
  const { date, time } = readSerial(cell.text, {
    from1904,
    isTimeStyle: styles[cell.style] === 'time',
  });
  return Date.parse(`${date ?? '1899-12-31'}T${time ?? '00:00:00'}Z`);
}

/** The value that hucre reads, in the same form. */
function normalizeHucreValue(value: unknown): unknown {
  if (value === undefined || value === '') return null;
  return value instanceof Date ? value.getTime() : value;
}
