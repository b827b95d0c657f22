/** CSV to rows, on bytes: a string is made of nothing but a value. */
import { StudioError } from '../../model/errors.ts';
import { collectRows } from '../collect-rows.ts';
import { columnReaders } from '../column-readers.ts';
import { longestRowBytes } from '../reading.ts';
import { openText } from '../text-source.ts';
import { windowsOf } from '../windows.ts';
import { findDelimiter, readSeparatorLine } from './find-delimiter.ts';
import { beginScan, fieldText, isEmptyLine, QUOTED, scanRecord } from './scan-record.ts';
import type { Value } from '../../model/values.ts';
import type { RowCollector } from '../collect-rows.ts';
import type { ColumnReader } from '../column-readers.ts';
import type { FormulaGuard } from '../guard-formula.ts';
import type { ByteSource, Reading, RowChunks, Target } from '../reading.ts';
import type { Window } from '../windows.ts';
import type { FieldText, RecordScan } from './scan-record.ts';

export interface CsvOptions {
  /** Where the file's name says it (zip); else the request's table. */
  readonly table?: string | undefined;
  readonly encoding?: string | undefined;
  /** One character of ASCII. */
  readonly delimiter?: string | undefined;
  readonly formulas: FormulaGuard;
}

/** What is known behind the header. */
interface Rows {
  readonly target: Target;
  readonly width: number;
  readonly readers: readonly (ColumnReader | undefined)[];
  readonly collector: RowCollector;
}

interface Csv {
  readonly source: ByteSource;
  readonly reading: Reading;
  readonly options: CsvOptions;
  readonly scan: RecordScan;
  rows: Rows | undefined;
  /** Physical line of the record that is read, from 1. */
  line: number;
  rowNumber: number;
}

export async function* readCsv(
  source: ByteSource,
  reading: Reading,
  options: CsvOptions,
): RowChunks {
  const text = await openText(source, { encoding: options.encoding });
  if (text.guessed !== undefined) reading.warn(() => guessedEncoding(source.name, text.guessed));
  let csv: Csv | undefined;
  for await (const window of windowsOf(text.open())) {
    csv ??= begin({ source, reading, options }, window);
    const field = { bytes: window.bytes, text: window.bytes.toString('latin1') };
    let goesOn = true;
    while (goesOn) {
      goesOn = takeRecords(csv, window, field);
      const chunk = csv.rows?.collector.take();
      if (chunk !== undefined) yield chunk;
    }
    if (window.bytes.length - window.used > longestRowBytes) throw tooLong(csv);
  }
  const last = csv?.rows?.collector.take(true);
  if (last !== undefined) yield last;
  if (csv?.rows === undefined) throw noHeader(source);
}

function guessedEncoding(name: string, encoding: string | undefined): string {
  return `${name} is not UTF-8 and was read as ${encoding}; "encoding" names another one.`;
}

function begin(what: Pick<Csv, 'source' | 'reading' | 'options'>, window: Window): Csv {
  const { delimiter } = what.options;
  const line = delimiter === undefined ? readSeparatorLine(window.bytes) : undefined;
  window.used = line?.length ?? 0;
  const found =
    delimiter?.charCodeAt(0) ??
    line?.delimiter ??
    findDelimiter(window, (name) => what.reading.knows(name));
  const skipped = line === undefined ? 0 : 1;
  return { ...what, scan: beginScan(found), rows: undefined, line: 1 + skipped, rowNumber: 0 };
}

/** Takes whole records until there are enough for a chunk; false when the window has no more. */
function takeRecords(csv: Csv, window: Window, field: FieldText): boolean {
  const { scan } = csv;
  const enough = csv.rowNumber + 500;
  while (window.used < window.bytes.length && csv.rowNumber < enough) {
    const end = scanRecord(window, window.used, scan);
    if (end === -1) return false;
    if (scan.unclosed !== -1) throw unclosed(csv, window);
    takeRecord(csv, field, end - window.used);
    csv.line += scan.lineBreaks;
    window.used = end;
  }
  return window.used < window.bytes.length;
}

function takeRecord(csv: Csv, field: FieldText, size: number): void {
  const { scan, rows } = csv;
  if (rows === undefined) {
    if (!isEmptyLine(scan)) csv.rows = readHeader(csv, field);
    return;
  }
  if (rows.width > 1 && isEmptyLine(scan)) return;
  csv.rowNumber++;
  if (scan.count !== rows.width || scan.malformed !== -1) return reportShape(csv, rows);
  const row = readRow(csv, rows, field);
  if (row !== undefined) rows.collector.add({ row, number: csv.rowNumber, line: csv.line, size });
}

function readHeader(csv: Csv, field: FieldText): Rows {
  const { scan, reading, options, line } = csv;
  if (scan.malformed !== -1) throw malformedHeader(csv);
  const names = Array.from({ length: scan.count }, (_, i) => fieldText(field, scan, i));
  const target = reading.locate({ table: options.table, columns: names });
  for (const flaw of target.flaws) reading.report({ ...flaw, table: target.table.name, line });
  const readers = columnReaders(target, reading, options.formulas);
  const columns = target.columns.filter((column) => column !== undefined);
  return { target, width: names.length, readers, collector: collectRows(target.table, columns) };
}

/** The row's values; undefined when one of them cannot be had, which is reported. */
function readRow(
  csv: Csv,
  { readers, width, target }: Rows,
  field: FieldText,
): Value[] | undefined {
  const { scan } = csv;
  const row: Value[] = [];
  let isWhole = true;
  for (let i = 0; i < width; i++) {
    const reader = readers[i];
    if (reader === undefined) continue;
    try {
      row.push(readField(reader, { scan, field, i }));
    } catch (error) {
      if (!(error instanceof StudioError)) throw error;
      isWhole = false;
      const { code, message } = error;
      const column = target.columns[i]?.name ?? '';
      csv.reading.report({ code, message, column, ...placeOf(csv, target) });
    }
  }
  return isWhole ? row : undefined;
}

interface FieldPlace {
  readonly scan: RecordScan;
  readonly field: FieldText;
  readonly i: number;
}

/** An empty field is nothing; an empty pair of quotes is the empty string. */
function readField(reader: ColumnReader, { scan, field, i }: FieldPlace): Value {
  const isEmpty = scan.starts[i] === scan.ends[i] && (scan.flags[i]! & QUOTED) === 0;
  return isEmpty ? reader.empty : reader.read(fieldText(field, scan, i));
}

function placeOf(
  csv: Csv,
  { table }: Target,
): { readonly table: string; readonly row: number; readonly line: number } {
  return { table: table.name, row: csv.rowNumber, line: csv.line };
}

function reportShape(csv: Csv, { width, target }: Rows): void {
  const { count, malformed } = csv.scan;
  const message =
    malformed === -1
      ? `The row has ${count} ${count === 1 ? 'field' : 'fields'}; the header has ${width}.`
      : `Field ${malformed + 1} goes on behind its closing quote.`;
  csv.reading.report({ code: 'parse_failed', message, ...placeOf(csv, target) });
}

function unclosed(csv: Csv, { used, bytes }: Window): StudioError {
  const { scan, source, line } = csv;
  const before = bytes.toString('latin1', used, scan.unclosed);
  const breaks = before.match(/\r\n|\r|\n/g)?.length ?? 0;
  const column = before.length - Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r'));
  return new StudioError(
    'parse_failed',
    `${source.name}: the quote that opens on line ${line + breaks} is never closed.`,
    { line: line + breaks, column },
  );
}

function malformedHeader({ source, line, scan }: Csv): StudioError {
  return new StudioError(
    'parse_failed',
    `${source.name}, line ${line}: name ${scan.malformed + 1} of the header goes on behind its closing quote.`,
    { line, column: 1 },
  );
}

function tooLong({ source, line }: Csv): StudioError {
  return new StudioError(
    'parse_failed',
    `${source.name}: the row that begins on line ${line} is longer than ${longestRowBytes / 1024 / 1024} MB; a quote may never have been closed.`,
    { line },
  );
}

function noHeader({ name }: ByteSource): StudioError {
  return new StudioError('parse_failed', `${name} is empty; a line of column names is expected.`, {
    line: 1,
    column: 1,
  });
}
