/** Previews CSV with the server's own scanner, so that both read a file alike. */
import { findDelimiter, readSeparatorLine } from '../../../src/portable/csv/find-delimiter.ts';
import {
  createScan,
  fieldText,
  hasNeedlessQuotes,
  isEmptyLine,
  isMissing,
  scanRecord,
} from '../../../src/portable/csv/scan-record.ts';
import { distinctNames } from '../../../src/portable/files/distinct-names.ts';
import type { RecordText, ScanInput } from '../../../src/portable/csv/scan-record.ts';
import {
  countUtf8,
  createUtf8Count,
  encodingOfInvalidUtf8,
} from '../../../src/portable/files/count-utf8.ts';
import { encodingOfMark, encodingOfStart } from '../../../src/portable/files/detect-encoding.ts';
import { beginsWithReason } from '../../../src/portable/files/reason-column.ts';
import { numberedColumns, rowsShown } from './file-preview.ts';
import type { FileHead, FilePreview, FileRow, ReadOptions } from './file-preview.ts';

/** The first bytes of a file. */
export interface FirstBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isWhole: boolean;
}

export interface CsvPreview extends FilePreview {
  readonly head: FileHead;
}

export function previewCsv({ bytes, isWhole }: FirstBytes, options: ReadOptions): CsvPreview {
  const { text, encoding } = decode({ bytes, isWhole }, options.encoding);
  const input = recordsOf(text, isWhole);
  const isOfRejectedRows = beginsWithReason(input.characters);
  const skipRows = isOfRejectedRows ? 0 : options.skipRows;
  const line = options.delimiter === undefined ? readSeparatorLine(input) : undefined;
  const quote = options.quote?.charCodeAt(0);
  const delimiter =
    options.delimiter?.charCodeAt(0) ??
    line?.delimiter ??
    findDelimiter({ ...input, quote, skipRows }, () => false);
  const scan = createScan(delimiter, quote);
  const start = { offset: line?.length ?? 0, skipRows: skipRows ?? 0, isEmptyTextMissing: false };
  const records = [...readRecords(input, start, scan)];
  const { isEmptyTextMissing } = start;
  const head = {
    ...headOf(withoutLastBlankRows(records), isOfRejectedRows || options.hasHeader),
    ...(isEmptyTextMissing && { isEmptyTextMissing }),
  };
  return line === undefined
    ? { head, encoding, delimiter: String.fromCharCode(delimiter) }
    : { head, encoding };
}

/** The import leaves out rows without values at the end. If these bytes are not the whole file, others may follow. */
function withoutLastBlankRows(records: readonly FileRow[]): readonly FileRow[] {
  const width = records[0]?.length ?? 0;
  const isBlank = (row: FileRow): boolean =>
    row.length >= width && row.every((field) => field === null);
  const last = width < 2 ? records.length - 1 : records.findLastIndex((row) => !isBlank(row));
  // The first record has the names, or shows how many columns there are.
  return records.slice(0, Math.max(1, last + 1));
}

function headOf(records: readonly FileRow[], hasHeader = true): FileHead {
  const [first = [], ...rest] = records;
  const columns = hasHeader
    ? distinctNames(first.map((name) => name ?? ''))
    : numberedColumns(first.length);
  const sample = hasHeader ? rest : records;
  return { columns, rows: sample.slice(0, rowsShown), sample };
}

interface DecodedText {
  readonly text: string;
  readonly encoding: string;
}

/** Decodes text as the server does, except that only these bytes show whether it is UTF-8. */
function decode({ bytes, isWhole }: FirstBytes, requested: string | undefined): DecodedText {
  const encoding =
    requested === undefined ? encodingOfStart(bytes) : (encodingOfMark(bytes) ?? requested);
  const decodeAs = (name: string, fatal: boolean): DecodedText => ({
    // A part of a file may end within a character.
    text: new TextDecoder(name, { fatal }).decode(bytes, { stream: !isWhole }),
    encoding: name,
  });
  if (encoding !== undefined && encoding !== 'utf-8') return decodeAs(encoding, false);
  try {
    return decodeAs('utf-8', encoding === undefined);
  } catch {
    const count = createUtf8Count();
    countUtf8(count, bytes);
    return decodeAs(encodingOfInvalidUtf8(count), false);
  }
}

type CsvInput = ScanInput & RecordText;

function recordsOf(text: string, isLast: boolean): CsvInput {
  const bytes = new TextEncoder().encode(text);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return {
    bytes,
    isLast,
    // Browsers decode Latin-1 as Windows-1252, which also has a character for each byte.
    characters: new TextDecoder('latin1').decode(bytes),
    decode: (start, end) => decoder.decode(bytes.subarray(start, end)),
  };
}

interface Start {
  readonly offset: number;
  /** The number of records that are left out. */
  readonly skipRows: number;
  /** Set when the first record is read: whether it has quotes that it does not need. */
  isEmptyTextMissing: boolean;
}

/** Yields the header and the rows, without a record that the end of the bytes cuts off. */
function* readRecords(
  input: CsvInput,
  start: Start,
  scan: ReturnType<typeof createScan>,
): Generator<FileRow> {
  let isFirst = true;
  let width = 0;
  let toSkip = start.skipRows;
  for (let { offset } = start; offset < input.bytes.length;) {
    offset = scanRecord(input, offset, scan);
    if (offset === -1) return;
    if (toSkip-- > 0) continue;
    // In a file of one column, an empty line is a row.
    if (isEmptyLine(scan) && (isFirst || width > 1)) continue;
    if (isFirst) {
      width = scan.count;
      start.isEmptyTextMissing = hasNeedlessQuotes(input, scan);
    }
    isFirst = false;
    yield Array.from({ length: scan.count }, (_, i) =>
      isMissing(scan, i) ? null : fieldText(input, scan, i),
    );
  }
}
