/** Reads CSV. It scans bytes and creates strings for values only. */
import { StudioError } from '../../model/errors.ts';
import { rejectedText } from '../../model/values/rejected-value.ts';
import { createRowCollector } from '../row-collector.ts';
import { createColumnReaders } from '../column-readers.ts';
import { maxRowBytes } from '../row-import.ts';
import { openText } from '../text-source.ts';
import { bufferInput } from '../input-buffer.ts';
import { canHold, hold, isHolding, leftOutWarning, release } from './blank-rows.ts';
import { mustBeUtf8 } from './valid-text.ts';
import { beginsWithReason } from '../../portable/files/reason-column.ts';
import { findDelimiter, readSeparatorLine } from '../../portable/csv/find-delimiter.ts';
import {
  createScan,
  fieldText,
  hasNeedlessQuotes,
  isBlankRow,
  isEmptyLine,
  isMissing,
  recordTextFrom,
  scanRecord,
} from '../../portable/csv/scan-record.ts';
import { reportFurtherErrors } from '../report-further-errors.ts';
import type { Value } from '../../model/values.ts';
import type { BlankRows } from './blank-rows.ts';
import type { RowCollector } from '../row-collector.ts';
import type { ColumnReader } from '../../portable/files/column-reader.ts';
import type { CellFormat } from '../../portable/cells/cell-format.ts';
import type { ByteSource } from '../../portable/files/byte-source.ts';
import type { ImportContext, RowBatches, ColumnMapping } from '../row-import.ts';
import type { InputBuffer } from '../input-buffer.ts';
import type { RecordText, RecordScan } from '../../portable/csv/scan-record.ts';

export interface CsvOptions extends CellFormat {
  /** The table that a zip entry's name specifies; undefined: the table of the request. */
  readonly table?: string | undefined;
  /** The request maps the zip entry to this table. */
  readonly isMapped?: boolean | undefined;
  readonly encoding?: string | undefined;
  /** One ASCII character. */
  readonly delimiter?: string | undefined;
  /** One ASCII character. Default: a double quote. */
  readonly quote?: string | undefined;
  /** `absent`: the first line is a row. */
  readonly header?: 'present' | 'absent' | undefined;
  /** The number of records before the header. Default: 0. */
  readonly skipRows?: number | undefined;
}

/** What the header determines. */
interface CsvTable {
  readonly target: ColumnMapping;
  readonly width: number;
  readonly readers: readonly (ColumnReader | undefined)[];
  readonly collector: RowCollector;
}

interface CsvReader {
  readonly source: ByteSource;
  readonly context: ImportContext;
  readonly options: CsvOptions;
  readonly scan: RecordScan;
  rows: CsvTable | undefined;
  readonly blankRows: BlankRows;
  /** The number of records that are still to be left out. */
  toSkip: number;
  /** Physical line of the current record, from 1. */
  line: number;
  rowNumber: number;
}

export async function* readCsv(
  source: ByteSource,
  context: ImportContext,
  options: CsvOptions,
): RowBatches {
  const decoded = await openText(source, { encoding: options.encoding });
  if (decoded.guessedEncoding !== undefined)
    context.warn(() => describeGuess(source.name, decoded.guessedEncoding));
  let csv: CsvReader | undefined;
  for await (const input of bufferInput(decoded.open())) {
    const text = recordText(input);
    csv ??= createReader({ source, context, options }, { input, text });
    let hasMore = true;
    while (hasMore) {
      hasMore = readRecords(csv, input, text);
      if (context.afterRecords !== undefined) await context.afterRecords();
      const batch = csv.rows?.collector.take();
      if (batch !== undefined) yield batch;
    }
    if (input.bytes.length - input.consumed > maxRowBytes) throw rowTooLongError(csv, input);
  }
  const last = csv?.rows?.collector.take(true);
  if (last !== undefined) yield last;
  if (csv?.rows === undefined) throw missingHeaderError(source, csv);
  if (isHolding(csv.blankRows)) context.warn(leftOutWarning(source.name, csv.blankRows));
}

function describeGuess(name: string, encoding: string | undefined): string {
  return `${name} is not valid UTF-8 and was read as ${encoding}. If that is wrong, set the parameter "encoding".`;
}

function recordText({ bytes }: InputBuffer): RecordText {
  return {
    characters: bytes.toString('latin1'),
    decode: (start, end) => bytes.toString('utf8', start, end),
  };
}

function createReader(
  parameters: Pick<CsvReader, 'source' | 'context' | 'options'>,
  { input, text }: { readonly input: InputBuffer; readonly text: RecordText },
): CsvReader {
  const options = beginsWithReason(text.characters)
    ? { ...parameters.options, header: 'present' as const, skipRows: 0 }
    : parameters.options;
  const { delimiter, skipRows = 0 } = options;
  const quote = options.quote?.charCodeAt(0);
  const line = delimiter === undefined ? readSeparatorLine(text) : undefined;
  input.consumed = line?.length ?? 0;
  const found =
    delimiter?.charCodeAt(0) ??
    line?.delimiter ??
    findDelimiter({ ...input, ...text, quote, skipRows }, (name) =>
      parameters.context.hasColumn(name),
    );
  const skipped = line === undefined ? 0 : 1;
  return {
    ...parameters,
    options,
    scan: createScan(found, quote),
    rows: undefined,
    blankRows: { runs: [] },
    toSkip: skipRows,
    line: 1 + skipped,
    rowNumber: 0,
  };
}

/** Reads complete records, at most a batch of them. Returns false when the input has no more. */
function readRecords(csv: CsvReader, input: InputBuffer, text: RecordText): boolean {
  const { scan } = csv;
  const maxRowNumber = csv.rowNumber + 500;
  while (input.consumed < input.bytes.length && csv.rowNumber < maxRowNumber) {
    const end = scanRecord(input, input.consumed, scan);
    if (end === -1) return false;
    if (scan.unclosed !== -1) throw unclosedQuoteError(csv, input);
    if (isHolding(csv.blankRows) && isRowAfterBlankOnes(csv)) {
      // The record is scanned once more after all of the rows before it.
      readBlankRows(csv, maxRowNumber);
      continue;
    }
    const before = csv.rowNumber;
    readRecord(csv, text, end - input.consumed);
    if (csv.rowNumber > before) passRecord(csv, text, end);
    csv.line += scan.lineBreaks;
    input.consumed = end;
  }
  return input.consumed < input.bytes.length;
}

function passRecord(csv: CsvReader, text: RecordText, end: number): void {
  passText(csv, csv.line, (first) =>
    recordTextFrom(text, csv.scan, { first, end }).replace(/\r?\n$|\r$/, ''),
  );
}

function passText(
  { context, scan, rowNumber }: CsvReader,
  line: number,
  text: (first: number) => string,
): void {
  const delimiter = String.fromCharCode(scan.delimiter);
  const quote = String.fromCharCode(scan.quote);
  context.onRecord?.({
    number: rowNumber,
    line,
    content: { kind: 'csv', delimiter, quote, text },
  });
}

/** Whether the scanned record shows that the rows before it are not the last ones. */
function isRowAfterBlankOnes({ scan, rows, blankRows, line }: CsvReader): boolean {
  if (isEmptyLine(scan)) return false;
  return !isBlankRow(scan, rows?.width ?? 0) || !canHold(blankRows, line);
}

/** Reads rows without values that were held back. */
function readBlankRows(csv: CsvReader, maxRowNumber: number): void {
  const { context, blankRows, rows } = csv;
  if (rows === undefined) return;
  const readers = rows.readers.filter((reader) => reader !== undefined);
  while (isHolding(blankRows) && csv.rowNumber < maxRowNumber) {
    const line = release(blankRows);
    csv.rowNumber++;
    context.beginRow?.({ line });
    const row = readers.map(({ empty }) => empty);
    rows.collector.add({ row, number: csv.rowNumber, line, size: rows.width });
    const delimiter = String.fromCharCode(csv.scan.delimiter);
    passText(csv, line, (first) => delimiter.repeat(Math.max(0, rows.width - 1 - first)));
  }
}

function readRecord(csv: CsvReader, text: RecordText, size: number): void {
  const { scan, rows } = csv;
  if (csv.toSkip > 0) {
    csv.toSkip--;
    return;
  }
  if (rows === undefined) {
    if (isEmptyLine(scan)) return;
    csv.rows = readHeader(csv, text);
    if (csv.options.header === 'absent') readRecord(csv, text, size);
    return;
  }
  if (rows.width > 1 && isEmptyLine(scan)) return;
  if (rows.target.storesBlankRows !== true && isBlankRow(scan, rows.width))
    return hold(csv.blankRows, csv.line);
  csv.rowNumber++;
  if (!hasWidth(scan, text, rows.width) || scan.malformed !== -1)
    return reportMalformedRow(csv, rows);
  const row = readRow(csv, rows, text);
  if (row !== undefined) rows.collector.add({ row, number: csv.rowNumber, line: csv.line, size });
}

/**
 * Some programs end each row with a delimiter, but not the header: the fields beyond it are empty. After
 * a backslash, the delimiter may belong to the value.
 */
function hasWidth(scan: RecordScan, text: RecordText, width: number): boolean {
  if (scan.count === width) return true;
  if (scan.count < width) return false;
  for (let i = width; i < scan.count; i++) if (!isMissing(scan, i)) return false;
  return !fieldText(text, scan, width - 1).endsWith('\\');
}

function readHeader(csv: CsvReader, text: RecordText): CsvTable {
  const { scan, context, options, line } = csv;
  if (scan.malformed !== -1) throw malformedHeaderError(csv);
  const isNumbered = options.header === 'absent';
  const names = Array.from({ length: scan.count }, (_, i) =>
    isNumbered ? `column ${i + 1}` : nameOf(csv, text, i),
  );
  const target = context.mapColumns({
    table: options.table,
    isMapped: options.isMapped === true,
    columns: names,
    delimiter: String.fromCharCode(scan.delimiter),
    isNumbered,
  });
  for (const error of target.errors) context.report({ ...error, table: target.table.name, line });
  const isEmptyTextMissing = options.isEmptyTextMissing === true || hasNeedlessQuotes(text, scan);
  const readers = createColumnReaders(target, context, { ...options, isEmptyTextMissing });
  const columns = target.columns.filter((column) => column !== undefined);
  return {
    target,
    width: names.length,
    readers,
    collector: createRowCollector(target.table, columns),
  };
}

function nameOf({ scan, source, line }: CsvReader, text: RecordText, i: number): string {
  try {
    return mustBeUtf8(fieldText(text, scan, i), { scan, text, i });
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    throw new StudioError(
      'parse_failed',
      `${source.name}, line ${line}, name ${i + 1} of the header: ${error.message}`,
      { line, column: 1 },
    );
  }
}

/** The row's values; undefined if one of them is invalid, which it reports. */
function readRow(
  csv: CsvReader,
  { readers, width, target }: CsvTable,
  text: RecordText,
): Value[] | undefined {
  const { scan, context, line } = csv;
  const row: Value[] = [];
  let invalid: Set<number> | undefined;
  context.beginRow?.({ line });
  for (let i = 0; i < width; i++) {
    const reader = readers[i];
    if (reader === undefined) continue;
    try {
      row.push(readField(reader, { scan, text, i }));
    } catch (error) {
      if (!(error instanceof StudioError)) throw error;
      invalid = (invalid ?? new Set()).add(row.push(null) - 1);
      const { code, message } = error;
      const column = target.columns[i]?.name ?? '';
      const value = rejectedText(fieldText(text, scan, i));
      csv.context.report({ code, message, column, value, ...positionOf(csv, target) });
    }
  }
  if (invalid === undefined) return row;
  reportFurtherErrors(context, target, { row, invalid, position: positionOf(csv, target) });
  return undefined;
}

interface FieldReference {
  readonly scan: RecordScan;
  readonly text: RecordText;
  readonly i: number;
}

/** An empty field is NULL, an empty pair of quotes the empty text, if the type of the column has one. */
function readField(reader: ColumnReader, { scan, text, i }: FieldReference): Value {
  if (isMissing(scan, i)) return reader.empty;
  return reader.read(mustBeUtf8(fieldText(text, scan, i), { scan, text, i }));
}

function positionOf(
  csv: CsvReader,
  { table }: ColumnMapping,
): { readonly table: string; readonly row: number; readonly line: number } {
  return { table: table.name, row: csv.rowNumber, line: csv.line };
}

function reportMalformedRow(csv: CsvReader, { width, target }: CsvTable): void {
  const { count, malformed } = csv.scan;
  const message =
    malformed === -1
      ? `The row has ${count} ${count === 1 ? 'field' : 'fields'}; the header has ${width}.${titleHint(csv, width)}`
      : `Field ${malformed + 1} continues after its closing quote.`;
  csv.context.report({ code: 'parse_failed', message, ...positionOf(csv, target) });
}

/** A title has few lines, most of them of one field. */
const maxTitleLines = 5;

/** A table below a title has more fields than the title. */
function titleHint({ rowNumber, scan, options }: CsvReader, width: number): string {
  const isFirst = rowNumber === 1 || (width === 1 && rowNumber <= maxTitleLines);
  const isBelowTitle = isFirst && scan.count > width && (options.skipRows ?? 0) === 0;
  return isBelowTitle ? ' Set skip_rows if the file begins with a title.' : '';
}

function unclosedQuoteError(csv: CsvReader, input: InputBuffer): StudioError {
  const { line, column } = positionOfQuote(csv, input);
  return new StudioError(
    'parse_failed',
    `${csv.source.name}: the quote that opens on line ${line} is never closed.`,
    { line, column },
  );
}

/** The position of the unclosed quote in the record that begins where the input is not consumed. */
function positionOfQuote(
  { scan, line }: CsvReader,
  { consumed, bytes }: InputBuffer,
): { readonly line: number; readonly column: number } {
  const before = bytes.toString('latin1', consumed, scan.unclosed);
  const breaks = before.match(/\r\n|\r|\n/g)?.length ?? 0;
  const column = before.length - Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r'));
  return { line: line + breaks, column };
}

function malformedHeaderError({ source, line, scan }: CsvReader): StudioError {
  return new StudioError(
    'parse_failed',
    `${source.name}, line ${line}: name ${scan.malformed + 1} of the header continues after its closing quote.`,
    { line, column: 1 },
  );
}

/** The row may have no end because a quote that it opens is not closed. */
function rowTooLongError(csv: CsvReader, input: InputBuffer): StudioError {
  const { source, line, scan } = csv;
  const limit = `${maxRowBytes / 1024 / 1024} MB`;
  scanRecord({ bytes: input.bytes, isLast: true }, input.consumed, scan);
  if (scan.unclosed === -1)
    return new StudioError(
      'parse_failed',
      `${source.name}: the row that begins on line ${line} is longer than ${limit}, the limit of a row.`,
      { line },
    );
  const quote = positionOfQuote(csv, input);
  return new StudioError(
    'parse_failed',
    `${source.name}: the quote that opens on line ${quote.line} is not closed within ${limit}, the limit of a row.`,
    quote,
  );
}

function missingHeaderError({ name }: ByteSource, csv: CsvReader | undefined): StudioError {
  const problem =
    csv === undefined || csv.options.skipRows === undefined || csv.options.skipRows === 0
      ? 'is empty; its first line must contain column names'
      : 'has no column names after the lines that skip_rows leaves out';
  return new StudioError('parse_failed', `${name} ${problem}.`, { line: 1, column: 1 });
}
