/**
 * Writes CSV as in RFC 4180, except that lines end with LF. Spreadsheets accept both, and the tools
 * of databases (COPY, LOAD DATA, `.import`) write and expect LF.
 */
import { textCellEncoder } from '../../model/values/text-cells.ts';
import { guardFormula } from '../../portable/files/guard-formula.ts';
import { renderRows } from '../render-rows.ts';
import { writeZip } from '../zip.ts';
import { createFileNamer } from './table-file-names.ts';
import type { Column } from '../../model/schema.ts';
import type { Value } from '../../model/values.ts';
import type { FormulaGuard } from '../../portable/files/guard-formula.ts';
import type { FileChunks, TableRows, TableStream } from '../row-export.ts';
import type { ZipEntry } from '../zip.ts';

/** A zip archive with one file for each table. */
export function writeCsvTables(tables: TableStream, formulas: FormulaGuard): FileChunks {
  return writeZip(entries(tables, formulas));
}

async function* entries(tables: TableStream, formulas: FormulaGuard): AsyncGenerator<ZipEntry> {
  const nameOf = createFileNamer();
  for await (const rows of tables) {
    const name = `${nameOf(rows.table.name)}.csv`;
    yield { name, comment: rows.table.name, chunks: writeCsvTable(rows, formulas) };
  }
}

/** A header, then one line for each row. */
export async function* writeCsvTable(rows: TableRows, formulas: FormulaGuard): FileChunks {
  const { columns, csv } = rows;
  yield `${columns.map((column) => headerField(column, formulas)).join(',')}\n`;
  if (csv !== undefined) return yield* csv;
  const encoders = columns.map((column) => fieldEncoder(column, formulas));
  const fields = columns.length === 1 ? encoders.map(singleColumnEncoder) : encoders;
  const last = fields.length - 1;
  yield* renderRows(rows, (row) => {
    let line = '';
    for (let i = 0; i < last; i++) line += `${fields[i]!(row[i] ?? null)},`;
    return `${line}${fields[last]?.(row[last] ?? null) ?? ''}\n`;
  });
}

/** Quotes names that contain more than letters and digits, so that no reader takes one of their characters for the delimiter. */
function headerField({ name }: Column, formulas: FormulaGuard): string {
  const text = formulas === 'raw' ? name : guardFormula(name);
  return /^[\p{L}\p{N}_]+$/u.test(text) ? text : quoted(text);
}

/** NULL is an empty field, the empty string a pair of quotes. */
function fieldEncoder(column: Column, formulas: FormulaGuard): (value: Value) => string {
  const encode = textCellEncoder(column);
  const isDigits = digitKinds.has(column.type.kind) && column.dynamic !== true;
  const isGuarded = formulas === 'guarded' && !isDigits;
  const becomesText = column.dynamic === true && textualKinds.has(column.type.kind);
  return (value) => {
    if (value === null) return '';
    if (typeof value !== 'string')
      return isGuarded && becomesText ? guardFormula(encode(value)) : encode(value);
    return field(isGuarded ? guardFormula(value) : value);
  };
}

/** Kinds of columns without affinity (SQLite), where an import stores a number as its text. */
const textualKinds: ReadonlySet<string> = new Set(['untyped', 'binary']);

/** Kinds whose text is the digits of a number, which is never a formula. */
const digitKinds: ReadonlySet<string> = new Set(['integer', 'decimal', 'float']);

const needsQuotes = /[",\n\r]/;

function field(text: string): string {
  return text === '' || needsQuotes.test(text) ? quoted(text) : text;
}

/** A line that contains only `\.` would end the data of PostgreSQL's COPY. */
function singleColumnEncoder(encode: (value: Value) => string): (value: Value) => string {
  return (value) => (value === '\\.' ? quoted(value) : encode(value));
}

function quoted(text: string): string {
  return `"${text.includes('"') ? text.replaceAll('"', '""') : text}"`;
}
