import type { ReadOptions } from './file-preview.ts';

/** Larger files are not counted, because that would take too long. */
const maxBytes = 64 * 2 ** 20;
const chunkBytes = 2 ** 20;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Counts the rows of a CSV or NDJSON file: its non-empty lines, without line ends inside quotes.
 * Returns undefined for UTF-16, whose line ends are not single bytes, and for large files.
 */
export async function countRows(
  file: Blob,
  format: string | undefined,
  { hasHeader = true, quote = '"' }: Pick<ReadOptions, 'hasHeader' | 'quote'>,
): Promise<number | undefined> {
  if ((format !== 'csv' && format !== 'ndjson') || file.size > maxBytes) return undefined;
  const lines = { count: 0, isEmpty: true, isQuoted: false };
  const quoteByte = format === 'csv' ? quote.charCodeAt(0) : undefined;
  const hasSeparatorLine = (await file.slice(0, 4).text()) === 'sep=';
  for (let from = 0; from < file.size; from += chunkBytes) {
    const chunk = new Uint8Array(await file.slice(from, from + chunkBytes).arrayBuffer());
    if (from === 0 && chunk.subarray(0, 4).includes(0)) return undefined;
    countLines(chunk, lines, quoteByte);
  }
  const all = lines.count + (lines.isEmpty ? 0 : 1);
  const otherLines = (hasHeader ? 1 : 0) + (hasSeparatorLine ? 1 : 0);
  return format === 'csv' ? Math.max(0, all - otherLines) : all;
}

interface LineState {
  count: number;
  /** Whether the current line is empty so far. */
  isEmpty: boolean;
  isQuoted: boolean;
}

function countLines(bytes: Uint8Array, lines: LineState, quote: number | undefined): void {
  for (const byte of bytes) {
    if (byte === quote) lines.isQuoted = !lines.isQuoted;
    if ((byte !== LINE_FEED && byte !== CARRIAGE_RETURN) || lines.isQuoted) lines.isEmpty = false;
    else if (!lines.isEmpty) {
      lines.count++;
      lines.isEmpty = true;
    }
  }
}
