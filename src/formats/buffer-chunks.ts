import { StudioError } from '../model/errors.ts';
import type { FileChunks } from './row-export.ts';

const chunkBytes = 64 * 1024;
/** More than the header of a file takes, so that the first chunk contains rows, or their read has failed before it. */
const firstChunkBytes = 1024;

/** The bytes of a file in chunks of 64 KB or more. The first chunk is smaller, so that clients see the first rows early. */
export async function* bufferChunks(texts: FileChunks): AsyncGenerator<Buffer, void, undefined> {
  let pending: Buffer[] = [];
  let bytes = 0;
  let minBytes = firstChunkBytes;
  for await (const text of texts) {
    const buffer = bytesOf(text);
    pending.push(buffer);
    bytes += buffer.length;
    if (bytes < minBytes) continue;
    yield joinBuffers(pending);
    pending = [];
    bytes = 0;
    minBytes = chunkBytes;
  }
  if (bytes > 0) yield joinBuffers(pending);
}

function joinBuffers(buffers: readonly Buffer[]): Buffer {
  const [only] = buffers;
  return buffers.length === 1 && only !== undefined ? only : Buffer.concat(buffers);
}

function bytesOf(text: string | Uint8Array): Buffer {
  if (typeof text !== 'string') return Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  if (text.isWellFormed()) return Buffer.from(text);
  throw new StudioError(
    'invalid_value',
    'The text contains half of a surrogate pair, which UTF-8 cannot represent.',
  );
}
