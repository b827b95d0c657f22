/** The records of a file that BULK INSERT reads. */
import { StudioError } from '../../../model/errors.ts';
import { copyFieldsOf, endOfRecord } from '../insert/copy-fields.ts';
import type { CopyField } from '../insert/copy-fields.ts';
import type { CopyFormat } from '../insert/copy-format.ts';
import type { FileRecord, FileText, RecordFormat } from './data-file.ts';

/** Characters are bytes, as Latin-1. */
export interface BulkFormat {
  /** FORMAT = 'CSV'. */
  readonly isCsv: boolean;
  readonly delimiter: string;
  readonly rowEnd: string;
  readonly quote: string;
  /** The numbers of the first and the last row, from 1. */
  readonly firstRow: number;
  readonly lastRow: number;
}

/** A row has as many fields as the table has columns, computed ones too. */
export function bulkRecords(options: Partial<BulkFormat>, columnCount: number): RecordFormat {
  const { isCsv = false, firstRow = 1, lastRow } = options;
  const range = {
    skippedLines: Math.max(firstRow - 1, 0),
    shouldWarnWithoutRows: true,
    lastRecord: lastRow === undefined || lastRow === 0 ? undefined : lastRow - firstRow + 1,
  };
  return { ...range, ...(isCsv ? csvRecords(options) : plainRecords(options, columnCount)) };
}

type RecordReaders = Pick<RecordFormat, 'readRecord' | 'skipLine'>;

function plainRecords(
  { delimiter = '\t', rowEnd = '\n' }: Partial<BulkFormat>,
  columnCount: number,
): RecordReaders {
  const findEnd = rowEndFinder(rowEnd);
  const readRecord = (file: FileText): FileRecord | 'incomplete' | 'end' => {
    const { text, isLast } = file;
    if (file.at >= text.length) return isLast ? 'end' : 'incomplete';
    const fields: CopyField[] = [];
    let { at } = file;
    // Only the last field ends with the row: others may contain its terminator.
    while (fields.length < columnCount - 1) {
      const end = text.indexOf(delimiter, at);
      if (end === -1 && !isLast) return 'incomplete';
      if (end === -1) break;
      fields.push(text.slice(at, end));
      at = end + delimiter.length;
    }
    const found = findEnd({ ...file, at });
    if (found === undefined) return 'incomplete';
    return { fields: [...fields, text.slice(at, found.start)], end: found.end };
  };
  return withSkippedRecords(readRecord);
}

/** A skipped line is a record, which may contain line breaks. */
function withSkippedRecords(readRecord: RecordFormat['readRecord']): RecordReaders {
  return {
    readRecord,
    skipLine: (file) => {
      const record = readRecord(file);
      if (record === 'incomplete') return undefined;
      return record === 'end' ? file.text.length : record.end;
    },
  };
}

interface RowEnd {
  readonly start: number;
  readonly end: number;
}

/**
 * SQL Server reads the terminator `\n` as a carriage return and a line feed. In files that tools of other
 * systems have written, it is a line feed only.
 */
function rowEndFinder(rowEnd: string): (file: FileText) => RowEnd | undefined {
  const wide = /(?<!\r)\n$/.test(rowEnd) ? `${rowEnd.slice(0, -1)}\r\n` : undefined;
  let mark = wide === undefined ? rowEnd : undefined;
  return ({ text, at, isLast }) => {
    if (mark === undefined) {
      const lineFeed = text.indexOf('\n', at);
      if (lineFeed === -1 && !isLast) return undefined;
      mark = text[lineFeed - 1] === '\r' ? wide! : rowEnd;
    }
    const start = text.indexOf(mark, at);
    if (start !== -1) return { start, end: start + mark.length };
    return isLast ? { start: text.length, end: text.length } : undefined;
  };
}

/** RFC 4180: quotes are doubled, and line breaks end rows outside of quotes. */
function csvRecords({
  delimiter = ',',
  rowEnd = '\n',
  quote = '"',
}: Partial<BulkFormat>): RecordReaders {
  if (!/^\r?\n$/.test(rowEnd) || delimiter.length !== 1 || quote.length !== 1)
    throw new StudioError(
      'parse_failed',
      'A file with FORMAT = CSV is imported with one character each as FIELDTERMINATOR and FIELDQUOTE, and line breaks as ROWTERMINATOR.',
    );
  const format: CopyFormat = {
    isCsv: true,
    delimiter,
    nullText: '',
    quote,
    escape: quote,
    hasHeader: false,
  };
  const readRecord = ({ text, at, isLast }: FileText): FileRecord | 'incomplete' | 'end' => {
    if (at >= text.length) return isLast ? 'end' : 'incomplete';
    const lineBreak = endOfRecord({ text, at }, format);
    if (lineBreak === -1 && !isLast) return 'incomplete';
    const lineEnd = lineBreak === -1 ? text.length : lineBreak;
    const line = text.slice(at, lineEnd).replace(/\r$/, '');
    const fields: readonly CopyField[] = copyFieldsOf(line, format, 1);
    return { fields, end: Math.min(lineEnd + 1, text.length) };
  };
  return withSkippedRecords(readRecord);
}
