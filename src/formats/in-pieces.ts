import { StudioError } from '../model/errors.ts';
import type { FileParts } from './writing.ts';

const pieceBytes = 64 * 1024;
/** More than what stands before the first rows, so that what keeps them from being read comes first. */
const firstPieceBytes = 1024;

/** The bytes of a file in pieces of 64 KB or more; the first leaves as soon as there is something to read in it. */
export async function* inPieces(parts: FileParts): AsyncGenerator<Buffer, void, undefined> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  let enough = firstPieceBytes;
  for await (const part of parts) {
    const buffer = bytesOf(part);
    waiting.push(buffer);
    bytes += buffer.length;
    if (bytes < enough) continue;
    yield joined(waiting);
    waiting = [];
    bytes = 0;
    enough = pieceBytes;
  }
  if (bytes > 0) yield joined(waiting);
}

function joined(buffers: readonly Buffer[]): Buffer {
  const [only] = buffers;
  return buffers.length === 1 && only !== undefined ? only : Buffer.concat(buffers);
}

function bytesOf(part: string | Uint8Array): Buffer {
  if (typeof part !== 'string') return Buffer.from(part.buffer, part.byteOffset, part.byteLength);
  if (part.isWellFormed()) return Buffer.from(part);
  throw new StudioError(
    'invalid_value',
    'A text holds half of a surrogate pair, which a file in UTF-8 cannot say.',
  );
}
