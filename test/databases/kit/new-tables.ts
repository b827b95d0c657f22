/**
 * Random files whose import creates its table. The stored values, read by the database's own client, must
 * be those of the file. They are compared as texts, without knowing the types of the columns.
 */
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { importFile } from '../importing.ts';
import { buildWorkbook } from '../../formats/build-workbook.ts';
import type { Harness } from './harness.ts';

/** A cell: a text, a number by its digits, a boolean, or NULL. In CSV files all are texts. */
type Cell = string | { readonly digits: string } | boolean | null;

interface RandomColumn {
  readonly name: string;
  readonly cells: readonly Cell[];
}

interface RandomFile {
  readonly columns: readonly RandomColumn[];
  readonly rows: number;
  readonly kind: 'csv' | 'json' | 'ndjson' | 'xlsx';
  readonly delimiter: string;
  readonly lineBreak: string;
  readonly quotesAll: boolean;
  readonly encoding: 'utf8' | 'utf8-bom' | 'utf16le';
}

const number = (arbitrary: fc.Arbitrary<string>): fc.Arbitrary<Cell> =>
  arbitrary.map((digits) => ({ digits }));

const bigDigits = (maxDigits: number): fc.Arbitrary<string> =>
  fc
    .tuple(fc.boolean(), fc.bigInt({ min: 1n, max: 10n ** BigInt(maxDigits) }))
    .map(([isNegative, value]) => `${isNegative ? '-' : ''}${value}`);

const decimals = (scale: number): fc.Arbitrary<string> =>
  fc
    .tuple(fc.integer({ min: 1, max: 99999 }), fc.nat(10 ** scale - 1))
    .map(([whole, fraction]) => `${whole}.${String(fraction).padStart(scale, '0')}`);

const day = fc
  .date({ min: new Date('1000-01-01'), max: new Date('9999-12-30'), noInvalidDate: true })
  .map((date) => date.toISOString());

const zones = fc.constantFrom('Z', '+01:00', '-08:30', '+00', '-0330', ' UTC');

const uuid = fc.uuid();
const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify({ value }));

/** Texts that look almost like a value of a type, or like one that some database would change. */
const trickyTexts = [
  ...[
    '00123',
    '+1',
    '-0',
    '-0.0',
    '1.',
    '.5',
    '-.50',
    '1e5',
    '1E400',
    '1e-320',
    '0x10',
    '1_000',
    '١٢',
  ],
  ...[
    '9223372036854775807',
    '9223372036854775808',
    '-9223372036854775808',
    '123456789012345678901',
  ],
  ...[
    '12345678901234567890.12',
    '0.1000000000000000055511151231257827',
    '1.10',
    '1.1',
    '10',
    '-5',
    '32768',
  ],
  ...[
    '2024-02-29',
    '2023-02-29',
    '2024-2-9',
    '0000-00-00',
    '0999-01-01',
    '20240229',
    '13.12.1956',
    '1/2/2020',
  ],
  ...[
    '24:00',
    '23:59:60',
    '10:00',
    '9:05',
    '10:00:00.1234567',
    '2024-02-29T10:00',
    '2024-02-29 10:00:00.5',
  ],
  ...[
    '2024-02-29T10:00:00Z',
    '2024-02-29 10:00:00+15:00',
    '1969-12-31T23:59:59Z',
    '2040-01-01T00:00:00Z',
  ],
  ...[
    'true',
    'TRUE',
    'False',
    'yes',
    'no',
    'ja',
    'nein',
    't',
    '0',
    '1',
    'NaN',
    'Infinity',
    '-inf',
    'NULL',
    'null',
  ],
  ...[
    '{"a":1}',
    '{"a":1,"a":2}',
    '[1, 2]',
    '{"a":"\\u0000"}',
    '{"a":"\\ud800"}',
    '[',
    '{}',
    `${'['.repeat(40)}${']'.repeat(40)}`,
  ],
  ...[
    '',
    ' 1',
    '1 ',
    ' ',
    'a',
    'A',
    'a ',
    'ä',
    'ß',
    'ss',
    "''=1",
    '\\N',
    '\\x41',
    "it's",
    '"',
    ',',
    ';',
    'a\nb',
    '١',
    '１',
  ],
  ...[
    '123E4567-E89B-12D3-A456-426614174000',
    '123e4567-e89b-12d3-a456-426614174000',
    '1,5',
    '1.234,56',
    '12 345',
  ],
];

const typed: readonly fc.Arbitrary<Cell>[] = [
  number(fc.integer({ min: -32768, max: 32767 }).map(String)),
  number(fc.integer().map(String)),
  number(bigDigits(18)),
  number(bigDigits(30)),
  number(decimals(2)),
  number(fc.nat(12).chain((scale) => decimals(Math.max(1, scale)))),
  number(
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e250, max: 1e250 }).map(exponential),
  ),
  fc.boolean(),
  day.map((instant) => instant.slice(0, 10)),
  day.map((instant) => instant.slice(0, 19).replace('T', ' ')),
  fc
    .tuple(day, fc.integer({ min: 1, max: 3 }))
    .map(([instant, digits]) => instant.slice(0, 20 + digits)),
  fc.tuple(day, zones).map(([instant, zone]) => `${instant.slice(0, 23)}${zone}`),
  fc
    .tuple(
      fc.date({ min: new Date('1971-01-01'), max: new Date('2037-12-01'), noInvalidDate: true }),
      zones,
    )
    .map(([date, zone]) => `${date.toISOString().slice(0, 19)}${zone}`),
  day.map((instant) => instant.slice(11, 19)),
  uuid,
  json,
  text,
  fc.constantFrom(...trickyTexts),
  number(fc.constantFrom('1', '1.50', '2e3', '100000000000000000000', '0.1')),
];

function exponential(value: number): string {
  return Object.is(value, -0) ? '0e0' : value.toExponential();
}

function columnCells(rows: number): fc.Arbitrary<readonly Cell[]> {
  const cell = fc.constantFrom(...typed);
  return fc
    .tuple(cell, cell, fc.integer({ min: 0, max: 9 }), fc.constantFrom(0, 0, 3))
    .chain(([one, other, mixed, nulls]) => {
      const value = mixed === 0 ? fc.oneof(one, other) : one;
      const each = nulls === 0 ? value : fc.option(value, { freq: nulls });
      return fc.array(each, { minLength: rows, maxLength: rows });
    });
}

const rowNumber = 'row number';

const columnName = fc.oneof(
  fc.constantFrom(
    'id',
    'Name',
    'Größe (cm)',
    'select',
    'xmin',
    'rowid',
    'a.b',
    '2020',
    '%',
    'Ñ'.repeat(70),
    '日付',
  ),
  fc
    .string({ minLength: 1, maxLength: 10 })
    .filter((name) => name.trim() === name && !/^['=+@-]/.test(name)),
);

const randomFile: fc.Arbitrary<RandomFile> = fc
  .record({
    rows: fc.integer({ min: 1, max: 12 }),
    names: fc.uniqueArray(columnName, { minLength: 2, maxLength: 6 }),
    kind: fc.constantFrom('csv', 'csv', 'json', 'ndjson', 'xlsx'),
    delimiter: fc.constantFrom(',', ';', '\t'),
    lineBreak: fc.constantFrom('\n', '\r\n'),
    quotesAll: fc.boolean(),
    encoding: fc.constantFrom('utf8', 'utf8-bom', 'utf16le'),
  })
  .chain(({ names, ...file }) =>
    fc.tuple(...names.map(() => columnCells(file.rows))).map((cells): RandomFile => ({
      ...file,
      columns: [
        ...names.map((name, i) => ({ name, cells: cells[i]! })),
        // Orders the stored rows as in the file.
        {
          name: rowNumber,
          cells: Array.from({ length: file.rows }, (_, i) => ({ digits: `${i}` })),
        },
      ],
    })),
  );

export async function checkNewTables(harness: Harness, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(randomFile, (file) => checkFile(harness, file)),
    { numRuns, endOnFailure: true },
  );
}

interface ProposedColumn {
  readonly name: string;
  readonly source: string;
  readonly type: string;
  readonly is_nullable: boolean;
}

async function checkFile(harness: Harness, file: RandomFile): Promise<void> {
  const options = {
    table: 'made',
    create_table: true,
    formulas: 'raw',
    ...(file.kind === 'csv' ? { delimiter: file.delimiter } : {}),
  };
  try {
    const uploaded = [`file.${file.kind}`, await contentOf(file)] as const;
    const response = await importFile(harness.database.url, uploaded, options);
    expect(response.rows_imported).toBe(file.rows);
    const { tables } = response.schema as unknown as {
      readonly tables: readonly [{ readonly columns: readonly ProposedColumn[] }];
    };
    const columns = new Map(tables[0].columns.map((column) => [column.source, column]));
    const order = columns.get(rowNumber)?.name ?? '';
    for (const { name, cells } of file.columns.slice(0, -1)) {
      const column = columns.get(name);
      if (file.rows === 0 && file.kind !== 'csv' && file.kind !== 'xlsx') continue;
      expect(column, name).toBeDefined();
      const stored = await storedTexts(harness, column!, order);
      for (const [i, cell] of cells.entries())
        expect(
          isSame(valueIn(file, cell), stored[i] ?? null) ||
            isWithoutEmptyText(file, [cell, stored[i] ?? null]),
          `${JSON.stringify(cell)} became ${stored[i]} in ${column!.type}`,
        ).toBe(true);
    }
  } finally {
    await harness.dropTables(['made']);
  }
}

/** A workbook has no empty texts, and its numbers are doubles. */
function valueIn({ kind }: RandomFile, cell: Cell): Cell {
  if (kind !== 'xlsx') return cell;
  if (cell !== null && typeof cell === 'object') return { digits: spreadsheetDigits(cell.digits) };
  return cell === '' ? null : cell;
}

/** An empty text in quotes is NULL in a column of numbers, dates and the like. */
function isWithoutEmptyText({ kind }: RandomFile, [cell, stored]: [Cell, string | null]): boolean {
  return kind === 'csv' && cell === '' && stored === null;
}

/** Spreadsheets show 15 digits of a double. */
function spreadsheetDigits(digits: string): string {
  return String(Number(Number(digits).toPrecision(15)));
}

async function storedTexts(
  { database, underTest }: Harness,
  { name }: ProposedColumn,
  order: string,
): Promise<readonly (string | null)[]> {
  const [column, by] = [name, order].map((each) => underTest.dialect.quoteName(each));
  const rows = await database.query(
    `SELECT ${underTest.exactText(column!)} FROM made ORDER BY ${by}`,
  );
  return rows.map(([value]) => (value === null || value === undefined ? null : String(value)));
}

// The comparison

/** Whether a stored text is the value of the cell. Types may add to a value, but never take from it. */
function isSame(cell: Cell, stored: string | null): boolean {
  if (cell === null || stored === null) return cell === stored;
  if (typeof cell === 'boolean') return isSameBoolean(String(cell), stored);
  const original = typeof cell === 'string' ? cell : cell.digits;
  return (
    original === stored ||
    isSameNumber(original, stored) ||
    isSameBoolean(original, stored) ||
    isSameTime(original, stored)
  );
}

const booleanTexts: Readonly<Record<string, readonly string[]>> = {
  true: ['true', 't', '1'],
  false: ['false', 'f', '0'],
};

function isSameBoolean(original: string, stored: string): boolean {
  return booleanTexts[original.toLowerCase()]?.includes(stored.toLowerCase()) === true;
}

const canonical = /^-?(?:0|[1-9]\d*)?(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function isSameNumber(original: string, stored: string): boolean {
  if (!canonical.test(original) || !/\d/.test(original)) return false;
  if (!/^-?[\d.]+(?:e[+-]?\d+)?$/i.test(stored)) return false;
  // A client may print a double with more digits than its shortest text.
  const shortest = String(Number(stored));
  return [stored, shortest].some((each) => scientific(each) === scientific(original));
}

/** The significant digits and the power of ten. */
function scientific(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const leading = whole.length - (whole + fraction).length + digits.length;
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const sign = mantissa.startsWith('-') ? '-' : '';
  return `${sign}${significant}e${leading + Number(exponent)}`;
}

const timePattern =
  /^(\d{4}-\d\d-\d\d(?:$|[T ](?=\d)))?(\d\d:\d\d(?::\d\d)?(?:\.\d+)?)?(?: ?(Z|UTC|[+-]\d\d(?::?\d\d)?))?$/;

function isSameTime(original: string, stored: string): boolean {
  const [one, other] = [original, stored].map(instantOf);
  return one !== undefined && one === other;
}

function instantOf(text: string): string | undefined {
  const [, date = '', time = '', zone] = timePattern.exec(text) ?? [];
  if (date === '' && time === '') return undefined;
  const [clock = '', fraction = ''] = (time || '00:00').split('.');
  const seconds = clock.length === 5 ? `${clock}:00` : clock;
  const day = date === '' ? '1970-01-01' : date.slice(0, 10);
  const offset =
    zone === undefined || zone === 'UTC' ? 'Z' : /^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone;
  const instant = Date.parse(`${day}T${seconds}${offset}`);
  const isDay = new Date(`${day}T00:00:00Z`).toISOString?.().startsWith(day);
  return Number.isNaN(instant) || !isDay ? undefined : `${instant}.${fraction.replace(/0+$/, '')}`;
}

// The files

function contentOf(file: RandomFile): Buffer | Promise<Buffer> {
  if (file.kind === 'xlsx') return workbookOf(file);
  const text = file.kind === 'csv' ? csvOf(file) : jsonOf(file);
  if (file.kind === 'csv' && file.encoding === 'utf16le')
    return Buffer.from(`\ufeff${text}`, 'utf16le');
  return Buffer.from(file.encoding === 'utf8-bom' ? `\ufeff${text}` : text);
}

function rowsOf({ columns, rows }: RandomFile): readonly (readonly Cell[])[] {
  return Array.from({ length: rows }, (_, i) => columns.map(({ cells }) => cells[i] ?? null));
}

function csvOf(file: RandomFile): string {
  const quoted = (value: string): string => `"${value.replaceAll('"', '""')}"`;
  const field = (value: string): string =>
    file.quotesAll || value === '' || /["\r\n]/.test(value) || value.includes(file.delimiter)
      ? quoted(value)
      : value;
  const cellText = (cell: Cell): string => {
    if (cell === null) return '';
    return typeof cell === 'object' ? cell.digits : field(String(cell));
  };
  const header = file.columns.map(({ name }) => quoted(name));
  const lines = [header, ...rowsOf(file).map((row) => row.map(cellText))];
  return lines.map((line) => line.join(file.delimiter) + file.lineBreak).join('');
}

function jsonOf(file: RandomFile): string {
  const jsonText = (cell: Cell): string =>
    cell !== null && typeof cell === 'object' ? cell.digits : JSON.stringify(cell);
  const rows = rowsOf(file).map((row) => {
    const members = row.map(
      (cell, i) => `${JSON.stringify(file.columns[i]?.name)}:${jsonText(cell)}`,
    );
    return `{${members.join(',')}}`;
  });
  return file.kind === 'json' ? `[${rows.join(',')}]` : rows.map((row) => `${row}\n`).join('');
}

function workbookOf(file: RandomFile): Promise<Buffer> {
  const inline = (value: string): string =>
    `<c t="inlineStr"><is><t xml:space="preserve">${escapeXml(value)}</t></is></c>`;
  const cellXml = (cell: Cell): string => {
    if (cell === null) return '<c/>';
    if (typeof cell === 'boolean') return `<c t="b"><v>${Number(cell)}</v></c>`;
    return typeof cell === 'string'
      ? inline(cell)
      : `<c><v>${spreadsheetDigits(cell.digits)}</v></c>`;
  };
  const lines = [
    file.columns.map(({ name }) => inline(name)),
    ...rowsOf(file).map((row) => row.map(cellXml)),
  ];
  const sheet = lines.map((line, i) => `<row r="${i + 1}">${line.join('')}</row>`).join('');
  return buildWorkbook({ sheets: { one: sheet } });
}

/** Excel escapes what XML cannot contain, and texts that look like such an escape. */
function escapeXml(text: string): string {
  return text
    .replaceAll(/_(?=x[\da-fA-F]{4}_)/g, '_x005F_')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '_x000D_');
}
