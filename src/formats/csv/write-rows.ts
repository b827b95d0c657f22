/**
 * Writes CSV as in RFC 4180, except that lines end with LF. Spreadsheets accept both, and the tools
 * of databases (COPY, LOAD DATA, `.import`) write and expect LF.
 */
import { textCellEncoder } from '../../model/values/text-cells.ts';
import { guardFormula } from '../../portable/files/guard-formula.ts';
import { localCell } from './local-cells.ts';
import { renderRows } from '../render-rows.ts';
import { writeZip } from '../zip.ts';
import { createFileNamer } from '../table-file-names.ts';
import type { Column } from '../../model/schema.ts';
import type { Value } from '../../model/values.ts';
import type { EncodeTextCell } from '../../model/values/text-cells.ts';
import type { FormulaGuard } from '../../portable/files/guard-formula.ts';
import type { FileChunks, TableRows, TableStream } from '../row-export.ts';
import type { ZipEntry } from '../zip.ts';
import type { LocalStyle } from './local-cells.ts';

export interface CsvStyle extends LocalStyle {
  readonly formulas: FormulaGuard;
  /** One character. Default: a comma. */
  readonly delimiter?: string | undefined;
  /** Excel reads UTF-8 as such only after a byte order mark. */
  readonly hasByteOrderMark?: boolean;
  /** The text of NULL. Default: an empty field. */
  readonly nullText?: string | undefined;
}

/** A zip archive with one file for each table. */
export function writeCsvTables(tables: TableStream, style: CsvStyle): FileChunks {
  return writeZip(entries(tables, style));
}

async function* entries(tables: TableStream, style: CsvStyle): AsyncGenerator<ZipEntry> {
  const nameOf = createFileNamer();
  for await (const rows of tables) {
    const name = `${nameOf(rows.table.name)}.csv`;
    yield { name, comment: rows.table.name, chunks: writeCsvTable(rows, style) };
  }
}

/** Whether the lines are those that databases write themselves. */
export function hasDatabaseStyle(style: CsvStyle): boolean {
  const { delimiter = ',', nullText = '', dateForm, decimal } = style;
  return delimiter === ',' && nullText === '' && dateForm === undefined && decimal === undefined;
}

/** A header, then one line for each row. */
export async function* writeCsvTable(rows: TableRows, style: CsvStyle): FileChunks {
  const { columns, csv } = rows;
  const { delimiter = ',', hasByteOrderMark = false } = style;
  if (hasByteOrderMark) yield '\ufeff';
  yield `${columns.map((column) => headerField(column, style)).join(delimiter)}\n`;
  if (csv !== undefined && hasDatabaseStyle(style)) return yield* csv;
  const encoders = columns.map((column) => fieldEncoder(column, style));
  const fields = columns.length === 1 ? encoders.map(singleColumnEncoder) : encoders;
  const last = fields.length - 1;
  yield* renderRows(rows, (row) => {
    let line = '';
    for (let i = 0; i < last; i++) line += `${fields[i]!(row[i] ?? null)}${delimiter}`;
    return `${line}${fields[last]?.(row[last] ?? null) ?? ''}\n`;
  });
}

/** Quotes names that contain more than letters and digits, so that no reader mistakes one of their characters for the delimiter. */
function headerField({ name }: Column, { formulas }: CsvStyle): string {
  const text = formulas === 'raw' ? name : guardFormula(name);
  return /^[\p{L}\p{N}_]+$/u.test(text) ? text : quoted(text);
}

/** The empty string, and a text like that of NULL, is in quotes. */
function fieldEncoder(column: Column, style: CsvStyle): (value: Value) => string {
  const { formulas, delimiter = ',', nullText = '' } = style;
  const local = localCell(column, style);
  const encode = localEncoder(textCellEncoder(column), local);
  const isDigits = digitKinds.has(column.type.kind) && column.dynamic !== true;
  const isGuarded = formulas === 'guarded' && !isDigits;
  const becomesText = column.dynamic === true && textualKinds.has(column.type.kind);
  const field = textField(delimiter, nullText);
  const other = nullText === '' && style.decimal === undefined ? (text: string) => text : field;
  return (value) => {
    if (value === null) return nullText;
    if (typeof value !== 'string')
      return other(isGuarded && becomesText ? guardFormula(encode(value)) : encode(value));
    const text = local?.(value) ?? value;
    return field(isGuarded ? guardFormula(text) : text);
  };
}

function localEncoder(encode: EncodeTextCell, local: Convert | undefined): EncodeTextCell {
  return local === undefined ? encode : (value) => local(encode(value));
}

type Convert = (text: string) => string;

function textField(delimiter: string, nullText: string): (text: string) => string {
  const needsQuotes = delimiter === ',' ? /[",\n\r]/ : new RegExp(`["\\n\\r${delimiter}]`);
  return (text) =>
    text === '' || text === nullText || needsQuotes.test(text) ? quoted(text) : text;
}

/** Kinds of columns without affinity (SQLite), where an import stores a number as its text. */
const textualKinds: ReadonlySet<string> = new Set(['untyped', 'binary']);

/** Kinds whose text is the digits of a number, which is never a formula. */
const digitKinds: ReadonlySet<string> = new Set(['integer', 'decimal', 'float']);

/** A line that contains only `\.` would end the data of PostgreSQL's COPY. */
function singleColumnEncoder(encode: (value: Value) => string): (value: Value) => string {
  return (value) => (value === '\\.' ? quoted(value) : encode(value));
}

function quoted(text: string): string {
  return `"${text.includes('"') ? text.replaceAll('"', '""') : text}"`;
}
