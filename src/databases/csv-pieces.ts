/** Pieces of a file that grows by lines: rows of their bytes and their number of lines. */
import type { ColumnInfo } from '../model/schema.ts';

/** Of a query whose rows are pieces. */
export const pieceColumns: readonly ColumnInfo[] = [
  { name: 'bytes', type: { kind: 'binary' } },
  { name: 'lines', type: { kind: 'integer', bits: 32 } },
];

/** What is being written: bytes up to `used`. */
export interface Piece {
  bytes: Buffer;
  used: number;
  lines: number;
}

export const pieceBytes = 64 * 1024;
/** The first is small, so that nobody waits for it. */
export const firstPieceBytes = 4096;

export function newPiece(): Piece {
  return { bytes: Buffer.allocUnsafe(pieceBytes), used: 0, lines: 0 };
}

/** Makes room for so many bytes more. */
export function reserve(piece: Piece, bytes: number): void {
  const needed = piece.used + bytes;
  if (needed <= piece.bytes.length) return;
  const larger = Buffer.allocUnsafe(Math.max(2 * piece.bytes.length, needed));
  piece.bytes.copy(larger, 0, 0, piece.used);
  piece.bytes = larger;
}

/** What has been written; the piece begins anew. */
export function takePiece(piece: Piece): { readonly bytes: Buffer; readonly lines: number } {
  const { bytes, used, lines } = piece;
  Object.assign(piece, newPiece());
  return { bytes: bytes.subarray(0, used), lines };
}
