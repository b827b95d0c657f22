/** CSV is produced in chunks of whole lines. Each chunk is returned as one row: its bytes, and its number of lines. */
import type { ColumnInfo } from '../model/schema.ts';

/** The columns of a query whose rows are chunks. */
export const csvChunkColumns: readonly ColumnInfo[] = [
  { name: 'bytes', type: { kind: 'binary' } },
  { name: 'lines', type: { kind: 'integer', bits: 32 } },
];

/** A chunk that is being filled; `bytes` is valid up to `used`. */
export interface CsvChunk {
  bytes: Buffer;
  usedBytes: number;
  lines: number;
}

export const csvChunkBytes = 64 * 1024;
/** The first chunk is small, so that the client receives data early. */
export const firstCsvChunkBytes = 4096;

export function newCsvChunk(): CsvChunk {
  return { bytes: Buffer.allocUnsafe(csvChunkBytes), usedBytes: 0, lines: 0 };
}

/** Makes sure that `bytes` more bytes fit. */
export function reserve(chunk: CsvChunk, bytes: number): void {
  const needed = chunk.usedBytes + bytes;
  if (needed <= chunk.bytes.length) return;
  const larger = Buffer.allocUnsafe(Math.max(2 * chunk.bytes.length, needed));
  chunk.bytes.copy(larger, 0, 0, chunk.usedBytes);
  chunk.bytes = larger;
}

/** Returns what was written, and resets the chunk. */
export function takeCsvChunk(chunk: CsvChunk): { readonly bytes: Buffer; readonly lines: number } {
  const { bytes, usedBytes, lines } = chunk;
  Object.assign(chunk, newCsvChunk());
  return { bytes: bytes.subarray(0, usedBytes), lines };
}
