import { fromBuffer } from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';

export interface UnzippedEntry {
  readonly name: string;
  readonly comment: string;
  readonly bytes: Buffer;
}

/** Reads an archive with another library (yauzl) than the studio uses. */
export async function unzip(bytes: Buffer): Promise<readonly UnzippedEntry[]> {
  const archive = await new Promise<ZipFile>((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true }, (error, opened) =>
      error === null ? resolve(opened) : reject(error),
    );
  });
  const entries: UnzippedEntry[] = [];
  for await (const entry of archive.eachEntry()) {
    const content = await readEntry(archive, entry);
    entries.push({ name: entry.fileName, comment: entry.fileComment, bytes: content });
  }
  return entries;
}

function readEntry(archive: ZipFile, entry: Entry): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    archive.openReadStream(entry, (error, stream) => {
      if (error !== null) return reject(error);
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', reject);
      stream.on('end', () => resolve(Buffer.concat(chunks)));
    });
  });
}
