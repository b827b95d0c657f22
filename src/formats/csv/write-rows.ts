/**
 * CSV as RFC 4180 has it, but for lines that end with LF: spreadsheets take both, and the tools of
 * databases (COPY, LOAD DATA, `.import`) write and expect that one.
 */
import { textCellEncoder } from '../../model/text-cells.ts';
import { guardFormula } from '../guard-formula.ts';
import { rowTexts } from '../row-texts.ts';
import { writeZip } from '../zip.ts';
import { tableFileNames } from './table-file-names.ts';
import type { Column } from '../../model/schema.ts';
import type { Value } from '../../model/values.ts';
import type { FormulaGuard } from '../guard-formula.ts';
import type { FileParts, TableRows, TableStream } from '../writing.ts';
import type { ZipEntry } from '../zip.ts';

/** A zip archive with a file a table. */
export function writeCsvTables(tables: TableStream, formulas: FormulaGuard): FileParts {
  return writeZip(entries(tables, formulas));
}

async function* entries(tables: TableStream, formulas: FormulaGuard): AsyncGenerator<ZipEntry> {
  const nameOf = tableFileNames();
  for await (const rows of tables) {
    const name = `${nameOf(rows.table.name)}.csv`;
    yield { name, comment: rows.table.name, parts: writeCsvTable(rows, formulas) };
  }
}

/** A header, then a line a row. */
export async function* writeCsvTable(rows: TableRows, formulas: FormulaGuard): FileParts {
  const { columns, csv } = rows;
  yield `${columns.map((column) => headerField(column, formulas)).join(',')}\n`;
  if (csv !== undefined) return yield* csv;
  const encoders = columns.map((column) => fieldEncoder(column, formulas));
  const fields = columns.length === 1 ? encoders.map(aloneOnItsLine) : encoders;
  const last = fields.length - 1;
  yield* rowTexts(rows, (row) => {
    let line = '';
    for (let i = 0; i < last; i++) line += `${fields[i]!(row[i] ?? null)},`;
    return `${line}${fields[last]?.(row[last] ?? null) ?? ''}\n`;
  });
}

/** Names that hold more than letters and digits are quoted, so that nobody takes what they hold for a delimiter. */
function headerField({ name }: Column, formulas: FormulaGuard): string {
  const text = formulas === 'raw' ? name : guardFormula(name);
  return /^[\p{L}\p{N}_]+$/u.test(text) ? text : quoted(text);
}

/** NULL is an empty field, the empty string a pair of quotes. */
function fieldEncoder(column: Column, formulas: FormulaGuard): (value: Value) => string {
  const encode = textCellEncoder(column);
  const isDigits = digitKinds.has(column.type.kind) && column.dynamic !== true;
  const guards = formulas === 'guarded' && !isDigits;
  return (value) => {
    if (value === null) return '';
    if (typeof value !== 'string') return encode(value);
    return field(guards ? guardFormula(value) : value);
  };
}

/** Where text is the digits of a number. */
const digitKinds: ReadonlySet<string> = new Set(['integer', 'decimal', 'float']);

const needsQuotes = /[",\n\r]/;

function field(text: string): string {
  return text === '' || needsQuotes.test(text) ? quoted(text) : text;
}

/** `\.` alone on a line would end COPY's data. */
function aloneOnItsLine(encode: (value: Value) => string): (value: Value) => string {
  return (value) => (value === '\\.' ? quoted(value) : encode(value));
}

function quoted(text: string): string {
  return `"${text.includes('"') ? text.replaceAll('"', '""') : text}"`;
}
