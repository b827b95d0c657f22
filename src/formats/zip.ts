import { once } from 'node:events';
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { bufferChunks } from './buffer-chunks.ts';
import type { FileChunks } from './row-export.ts';

export interface ZipEntry {
  readonly name: string;
  readonly comment?: string;
  readonly chunks: FileChunks;
}

/** Fixed timestamps, so that the same rows yield the same bytes. */
const noTime = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true } as const;
/** Higher levels take three times as long and save a tenth of the size. */
const compressionLevel = 1;

/** Writes an archive (zip64) of entries of any size, one after another, without buffering them. */
export async function* writeZip(entries: AsyncIterable<ZipEntry>): FileChunks {
  const archive = new ZipFile();
  const output = archive.outputStream as Readable;
  const abort = new AbortController();
  const writing = writeEntries(archive, entries, abort.signal).catch((error: unknown) => {
    output.destroy(error instanceof Error ? error : new Error(String(error)));
  });
  try {
    yield* output;
  } finally {
    abort.abort();
    await writing;
  }
}

async function writeEntries(
  archive: ZipFile,
  entries: AsyncIterable<ZipEntry>,
  signal: AbortSignal,
): Promise<void> {
  for await (const { name, comment = '', chunks } of entries) {
    const input = Readable.from(bufferChunks(chunks), { objectMode: false, signal });
    const ended = once(input, 'end', { signal });
    archive.addReadStream(input, name, { ...noTime, compressionLevel, fileComment: comment });
    await ended;
  }
  archive.end();
}
