import { readSeparatorLine } from '../../../src/portable/csv/find-delimiter.ts';
import {
  createScan,
  isBlankRow,
  isEmptyLine,
  scanRecord,
} from '../../../src/portable/csv/scan-record.ts';
import { beginsWithReason } from '../../../src/portable/files/reason-column.ts';
import type { ReadOptions } from './file-preview.ts';

/** Larger files are not counted, because that would take too long. */
const maxBytes = 64 * 2 ** 20;
const chunkBytes = 2 ** 20;
/** A record that is longer may have a quote that is never closed. */
const maxRecordBytes = 8 * chunkBytes;

type CountOptions = Pick<ReadOptions, 'hasHeader' | 'skipRows' | 'quote' | 'delimiter'>;

/**
 * Counts the rows of a CSV or NDJSON file as the server reads them. Returns undefined for UTF-16, whose line
 * ends are not single bytes, and for large files.
 */
export async function countRows(
  file: Blob,
  format: string | undefined,
  options: CountOptions,
): Promise<number | undefined> {
  if ((format !== 'csv' && format !== 'ndjson') || file.size > maxBytes) return undefined;
  const first = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  if (first.includes(0) || first[0] === 0xff || first[0] === 0xfe) return undefined;
  const start = first[0] === 0xef && first[1] === 0xbb && first[2] === 0xbf ? 3 : 0;
  const text = file.slice(start);
  return format === 'csv' ? countRecords(text, options) : countLines(text);
}

async function countRecords(
  file: Blob,
  { hasHeader = true, skipRows = 0, quote = '"', delimiter }: CountOptions,
): Promise<number | undefined> {
  const characters = await file.slice(0, 64).text();
  const line = delimiter === undefined ? readSeparatorLine({ characters }) : undefined;
  const scan = createScan(
    delimiter?.charCodeAt(0) ?? line?.delimiter ?? ','.charCodeAt(0),
    quote.charCodeAt(0),
  );
  let width = 0;
  let count = 0;
  // Rows without values at the end of the file are left out.
  let blankRows = 0;
  const isOfRejectedRows = beginsWithReason(characters);
  let toSkip = isOfRejectedRows ? 0 : skipRows;
  let offset = line?.length ?? 0;
  for (let size = chunkBytes; offset < file.size;) {
    const bytes = new Uint8Array(await file.slice(offset, offset + size).arrayBuffer());
    const isLast = offset + bytes.length === file.size;
    let at = 0;
    while (at < bytes.length) {
      const end = scanRecord({ bytes, isLast }, at, scan);
      if (end === -1) break;
      at = end;
      if (toSkip-- > 0) continue;
      // In a file of one column, an empty line after the first is a row.
      if (isEmptyLine(scan) && width !== 1) continue;
      const isHeader = width === 0 && (hasHeader || isOfRejectedRows);
      if (width === 0) width = scan.count;
      if (!isHeader && isBlankRow(scan, width)) {
        blankRows++;
        continue;
      }
      count += blankRows + 1;
      blankRows = 0;
    }
    offset += at;
    size = at === 0 ? size * 2 : chunkBytes;
    if (size > maxRecordBytes) return undefined;
  }
  return hasHeader || isOfRejectedRows ? Math.max(0, count - 1) : count;
}

const LINE_FEED = 0x0a;
const whiteSpace: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d]);

async function countLines(file: Blob): Promise<number> {
  let count = 0;
  let isEmpty = true;
  for (let from = 0; from < file.size; from += chunkBytes) {
    const chunk = new Uint8Array(await file.slice(from, from + chunkBytes).arrayBuffer());
    for (const byte of chunk) {
      if (byte === LINE_FEED) {
        if (!isEmpty) count++;
        isEmpty = true;
      } else if (!whiteSpace.has(byte)) isEmpty = false;
    }
  }
  return isEmpty ? count : count + 1;
}
