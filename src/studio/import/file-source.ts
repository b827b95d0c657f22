import { createReadStream } from 'node:fs';
import type { ByteSource } from '../../portable/files/byte-source.ts';
import type { UploadedFile } from '../core/job.ts';

const chunkBytes = 256 * 1024;

/** The bytes of a file on disk. Calls `onRead` with the size of each chunk. */
export function fileSource(
  { name, path }: UploadedFile,
  onRead: (bytes: number) => void,
): ByteSource {
  return { name, open: () => readFile(path, onRead) };
}

async function* readFile(
  path: string,
  onRead: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes })) {
    const bytes = chunk as Buffer;
    onRead(bytes.length);
    yield bytes;
  }
}
