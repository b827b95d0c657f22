/** Counts how much of a source has been read. */

interface Source {
  open(): AsyncIterable<Uint8Array>;
}

/**
 * Reports the bytes that are read, times `ratio`. A source that is opened again is read from its beginning,
 * such as after its encoding has been detected: what has been reported for it is taken back then.
 */
export function countReads<S extends Source>(
  source: S,
  onRead: (bytes: number) => void,
  ratio = 1,
): S {
  let reported = 0;
  async function* open(): AsyncGenerator<Uint8Array> {
    if (reported > 0) onRead(-reported);
    reported = 0;
    for await (const bytes of source.open()) {
      reported += bytes.length * ratio;
      onRead(bytes.length * ratio);
      yield bytes;
    }
  }
  return { ...source, open };
}

/** The compressed bytes of a file of an archive per byte of its content. */
export function compressionRatio(file: {
  readonly bytes: number;
  readonly compressedBytes: number;
}): number {
  return file.bytes === 0 ? 0 : file.compressedBytes / file.bytes;
}
