/** A part of a file's bytes, in which whoever reads it finds as many whole things as there are. */
export interface Window {
  readonly bytes: Buffer;
  /** Nothing comes behind it. */
  readonly final: boolean;
  /** Set by the reader: what it is done with. The next window begins there. */
  used: number;
}

/**
 * A file in windows. What a reader leaves unused comes again with more behind it; a thing larger
 * than a window comes back in windows that double, so that it costs time in proportion.
 */
export async function* windowsOf(blocks: AsyncIterable<Buffer>): AsyncGenerator<Window> {
  let rest: Buffer = Buffer.alloc(0);
  let waiting: Buffer[] = [];
  let size = 0;
  for await (const block of blocks) {
    waiting.push(block);
    size += block.length;
    if (size < rest.length) continue;
    const window = { bytes: joined(rest, waiting), final: false, used: 0 };
    yield window;
    rest = window.bytes.subarray(window.used);
    [waiting, size] = [[], 0];
  }
  yield { bytes: joined(rest, waiting), final: true, used: 0 };
}

function joined(rest: Buffer, blocks: readonly Buffer[]): Buffer {
  const [only] = blocks;
  if (blocks.length === 1 && rest.length === 0 && only !== undefined) return only;
  return Buffer.concat([rest, ...blocks]);
}
