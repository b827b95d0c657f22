/** Random files with faulty rows, and what an import must make of them. */
import * as fc from 'fast-check';
import { buildWorkbook } from '../../formats/build-workbook.ts';

export const fileKinds = [
  'csv',
  'ndjson',
  'ndjson of tables',
  'json',
  'json of tables',
  'xlsx',
] as const;

export interface RandomRow {
  readonly label: string;
  readonly amount: number;
  /** In thousandths. */
  readonly price: number;
  /** Days since 2020-01-01. */
  readonly day: number;
  /** The second table of a file that names its tables. */
  readonly isOfSecond: boolean;
  readonly fault: 'none' | 'check' | 'key' | 'type' | 'shape';
}

export interface RandomFile {
  readonly kind: (typeof fileKinds)[number];
  readonly rows: readonly RandomRow[];
  readonly lineEnd: '\n' | '\r\n';
  readonly indent: number;
}

const label = fc.string({
  unit: fc.constantFrom('a', 'é', '𝄞', ' ', ',', ';', '"', "'", '=', '\\', '\n', ':', '{', '1'),
  minLength: 1,
  maxLength: 6,
});

export const randomFile: fc.Arbitrary<RandomFile> = fc.record({
  kind: fc.constantFrom(...fileKinds),
  rows: fc.array(
    fc.record({
      // A space at the end of a text is not kept by each database.
      label: label.map((text) => `${text}.`),
      amount: fc.nat(99),
      price: fc.nat(9_999_999),
      day: fc.nat(3000),
      isOfSecond: fc.boolean(),
      fault: fc.constantFrom('none', 'none', 'check', 'key', 'type', 'shape'),
    }),
    { minLength: 1, maxLength: 25 },
  ),
  lineEnd: fc.constantFrom('\n', '\r\n'),
  indent: fc.constantFrom(0, 2),
});

/** The value that each database has taken before. */
export const takenId = 1000;

export interface Rendered {
  readonly name: string;
  readonly content: Uint8Array;
  /** The line of each row, in the order of `rows`. */
  readonly lines: readonly number[];
}

interface Values {
  readonly id: number | string;
  readonly label: string;
  readonly amount: number | string;
  readonly price: string;
  readonly day: string;
}

const dayMs = 86_400_000;

export function cleanValues({ rows }: RandomFile, i: number): Values {
  const { label: text, amount, price, day } = rows[i]!;
  const date = new Date(Date.UTC(2020, 0, 1) + day * dayMs).toISOString().slice(0, 10);
  return { id: i + 1, label: text, amount, price: (price / 1000).toFixed(3), day: date };
}

function values(file: RandomFile, i: number, isClean: boolean): Values {
  const clean = cleanValues(file, i);
  const { fault } = file.rows[i]!;
  if (isClean || fault === 'none' || fault === 'shape') return clean;
  if (fault === 'key') return { ...clean, id: takenId };
  return { ...clean, amount: fault === 'check' ? -5 : 'many' };
}

/** Whether the rows of the file name their tables. */
export function namesTables({ kind }: RandomFile): boolean {
  return kind === 'json of tables' || kind === 'ndjson of tables';
}

/** The file, with its faults or without. `tables` are the names of two tables. */
export async function render(
  file: RandomFile,
  tables: readonly [string, string],
  isClean: boolean,
): Promise<Rendered> {
  const { kind } = file;
  if (kind === 'xlsx') return workbookOf(file, isClean);
  if (kind === 'csv') return csvOf(file, isClean);
  return kind.startsWith('ndjson')
    ? ndjsonOf(file, tables, isClean)
    : jsonOf(file, tables, isClean);
}

const header = ['id', 'label', 'amount', 'price', 'day'] as const;

function csvOf(file: RandomFile, isClean: boolean): Rendered {
  const rows = file.rows.map(({ fault }, i) => {
    const row = values(file, i, isClean);
    const fields = header.map((name) => `"${String(row[name]).replaceAll('"', '""')}"`);
    return fields.slice(0, fault === 'shape' && !isClean ? 3 : undefined).join(',');
  });
  return textFile('file.csv', file, { before: `${header.join(',')}${file.lineEnd}`, rows });
}

interface TextParts {
  readonly before?: string;
  readonly rows: readonly string[];
  readonly between?: string;
  readonly after?: string;
}

function textFile(name: string, { lineEnd }: RandomFile, parts: TextParts): Rendered {
  const { before = '', rows, between = lineEnd, after = lineEnd } = parts;
  let text = before;
  const lines = rows.map((row, i) => {
    if (i > 0) text += between;
    const line = text.split('\n').length;
    text += row;
    return line;
  });
  return { name, content: Buffer.from(text + after), lines };
}

/** The price is digits of a number. */
function jsonRow(file: RandomFile, i: number, isClean: boolean): string {
  if (file.rows[i]!.fault === 'shape' && !isClean) return JSON.stringify(`no object ${i}`);
  const { price, ...row } = values(file, i, isClean);
  const text = JSON.stringify(row, undefined, file.kind.startsWith('ndjson') ? 0 : file.indent);
  return text.replace(/\s*\}$/, (end) => `,"price":${price}${end}`);
}

const tableOf = (tables: readonly [string, string], { isOfSecond }: RandomRow): string =>
  tables[isOfSecond ? 1 : 0];

function ndjsonOf(file: RandomFile, tables: readonly [string, string], isClean: boolean): Rendered {
  const rows = file.rows.map((row, i) => {
    const text = jsonRow(file, i, isClean);
    if (!namesTables(file)) return text;
    return `{"table": "${tableOf(tables, row)}", "row": ${text}}`;
  });
  return textFile('file.ndjson', file, { rows });
}

function jsonOf(file: RandomFile, tables: readonly [string, string], isClean: boolean): Rendered {
  const { lineEnd } = file;
  const array = (isMine: (row: RandomRow) => boolean): { rows: string[]; numbers: number[] } => {
    const numbers = file.rows.flatMap((row, i) => (isMine(row) ? [i] : []));
    return { numbers, rows: numbers.map((i) => jsonRow(file, i, isClean)) };
  };
  const between = `,${lineEnd}`;
  if (!namesTables(file)) {
    const { rows } = array(() => true);
    return textFile('file.json', file, { before: '[', rows, between, after: `${lineEnd}]` });
  }
  const [one, other] = [array((row) => !row.isOfSecond), array((row) => row.isOfSecond)];
  const before = `{"${tables[0]}":[${lineEnd}`;
  const middle = `${lineEnd}],"${tables[1]}":[${lineEnd}`;
  const first = textFile('', file, { before, rows: one.rows, between, after: middle });
  const start = Buffer.from(first.content).toString();
  const second = textFile('file.json', file, {
    before: start,
    rows: other.rows,
    between,
    after: `${lineEnd}]}`,
  });
  const lines: number[] = [];
  for (const [n, i] of one.numbers.entries()) lines[i] = first.lines[n]!;
  for (const [n, i] of other.numbers.entries()) lines[i] = second.lines[n]!;
  return { ...second, lines };
}

const styles = '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>';
/** The serial number of 2020-01-01. */
const firstDay = 43_831;

function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"\n]/g, (character) => `&#${character.charCodeAt(0)};`);
}

async function workbookOf(file: RandomFile, isClean: boolean): Promise<Rendered> {
  const inline = (text: string): string =>
    `<c t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`;
  const number = (digits: number | string): string => `<c><v>${digits}</v></c>`;
  const rows = file.rows.map(({ fault, day }, i) => {
    const { id, label: text, amount, price } = values(file, i, isClean);
    const cells = [
      number(id),
      inline(text),
      typeof amount === 'string' ? inline(amount) : number(amount),
      number(price),
      `<c s="1"><v>${firstDay + day}</v></c>`,
      // A cell without a column.
      ...(fault === 'shape' && !isClean ? [inline('stray')] : []),
    ];
    return `<row r="${i + 2}">${cells.join('')}</row>`;
  });
  const head = `<row r="1">${header.map(inline).join('')}</row>`;
  const content = await buildWorkbook({ sheets: { one: head + rows.join('') }, styles });
  return { name: 'file.xlsx', content, lines: file.rows.map((_, i) => i + 2) };
}
