import { once } from 'node:events';
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { inPieces } from './in-pieces.ts';
import type { FileParts } from './writing.ts';

export interface ZipEntry {
  readonly name: string;
  readonly comment?: string;
  readonly parts: FileParts;
}

/** The same rows give the same bytes: the archive knows no time. */
const noTime = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true } as const;
/** Higher levels take three times as long for a tenth less. */
const compressionLevel = 1;

/** An archive of entries of any size (zip64), written as they come, one after the other. */
export async function* writeZip(entries: AsyncIterable<ZipEntry>): FileParts {
  const archive = new ZipFile();
  const output = archive.outputStream as Readable;
  const given = new AbortController();
  const filling = fill(archive, entries, given.signal).catch((error: unknown) => {
    output.destroy(error instanceof Error ? error : new Error(String(error)));
  });
  try {
    yield* output;
  } finally {
    given.abort();
    await filling;
  }
}

async function fill(
  archive: ZipFile,
  entries: AsyncIterable<ZipEntry>,
  signal: AbortSignal,
): Promise<void> {
  for await (const { name, comment = '', parts } of entries) {
    const input = Readable.from(inPieces(parts), { objectMode: false, signal });
    const ended = once(input, 'end', { signal });
    archive.addReadStream(input, name, { ...noTime, compressionLevel, fileComment: comment });
    await ended;
  }
  archive.end();
}
