/** Bytes of a file that have been read but not parsed. The parser takes as many complete records as there are. */
export interface InputBuffer {
  readonly bytes: Buffer;
  /** The file ends here. */
  readonly isLast: boolean;
  /** Set by the parser: the bytes that it has parsed. The next buffer begins there. */
  consumed: number;
}

/**
 * Yields a file as buffers. Bytes that the parser does not consume come again, with more after them.
 * For a record that is longer than a buffer, buffers double in size, so that time stays linear.
 */
export async function* bufferInput(chunks: AsyncIterable<Buffer>): AsyncGenerator<InputBuffer> {
  let rest: Buffer = Buffer.alloc(0);
  let pending: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    pending.push(chunk);
    size += chunk.length;
    if (size < rest.length) continue;
    const buffer = { bytes: joinChunks(rest, pending), isLast: false, consumed: 0 };
    yield buffer;
    rest = buffer.bytes.subarray(buffer.consumed);
    [pending, size] = [[], 0];
  }
  yield { bytes: joinChunks(rest, pending), isLast: true, consumed: 0 };
}

function joinChunks(rest: Buffer, chunks: readonly Buffer[]): Buffer {
  const [only] = chunks;
  if (chunks.length === 1 && rest.length === 0 && only !== undefined) return only;
  return Buffer.concat([rest, ...chunks]);
}
