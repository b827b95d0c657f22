import { createReadStream } from 'node:fs';
import { countReads } from '../../formats/count-reads.ts';
import type { ByteSource } from '../../portable/files/byte-source.ts';
import type { UploadedFile } from '../core/job.ts';

const chunkBytes = 256 * 1024;

/** The bytes of a file on disk, reported to `onRead`. */
export function fileSource(
  { name, path }: UploadedFile,
  onRead: (bytes: number) => void,
): ByteSource {
  return countReads({ name, open: () => readFile(path) }, onRead);
}

async function* readFile(path: string): AsyncGenerator<Uint8Array> {
  for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes }))
    yield chunk as Buffer;
}
