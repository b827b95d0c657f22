/** Zip archives on disk, read entry by entry wherever it stands; never unpacked as a whole. */
import { crc32 } from 'node:zlib';
import { openPromise } from 'yauzl';
import { StudioError } from '../model/errors.ts';
import type { Entry, ZipFile } from 'yauzl';
import type { PackedFile } from './archive.ts';

export interface Archive {
  readonly files: readonly PackedFile[];
  close(): void;
}

export interface ArchivePlace {
  readonly name: string;
  readonly path: string;
  /** All files together may expand to this; beyond it the archive is refused. */
  readonly limitBytes: number;
}

const mostFiles = 10_000;

/** A file that is longer than it says ends with an error, so the sizes that the archive tells can be trusted. */
export async function openArchive(place: ArchivePlace): Promise<Archive> {
  const zip = await refusing(place.name, async () =>
    openPromise(place.path, { autoClose: false, lazyEntries: true, validateEntrySizes: true }),
  );
  try {
    const files = await refusing(place.name, async () => readDirectory(zip, place));
    return { files, close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function readDirectory(zip: ZipFile, place: ArchivePlace): Promise<readonly PackedFile[]> {
  const entries: Entry[] = [];
  let bytes = 0;
  for await (const entry of zip.eachEntry()) {
    bytes += entry.uncompressedSize;
    if (bytes > place.limitBytes || entries.length >= mostFiles) throw tooLarge(place);
    entries.push(entry);
  }
  mustNotOverlap(zip, entries, place.name);
  return entries
    .filter(({ fileName }) => !fileName.endsWith('/'))
    .map((entry) => packedFile(zip, entry, place.name));
}

/** Without name and extra fields, whose length may differ from that in the directory. */
const localHeaderBytes = 30;

/** Entries that share bytes let a small archive expand to any size. */
function mustNotOverlap(zip: ZipFile, entries: readonly Entry[], name: string): void {
  const inOrder = entries.toSorted(
    (a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader,
  );
  let end = 0;
  let before: Entry | undefined;
  for (const entry of inOrder) {
    if (before !== undefined && entry.relativeOffsetOfLocalHeader < end)
      throw broken(name, `its files "${before.fileName}" and "${entry.fileName}" overlap`);
    before = entry;
    end = entry.relativeOffsetOfLocalHeader + localHeaderBytes + entry.compressedSize;
    if (end > zip.fileSize)
      throw broken(name, `its file "${entry.fileName}" extends beyond the end of the archive`);
  }
}

function tooLarge({ name, limitBytes }: ArchivePlace): StudioError {
  return new StudioError(
    'too_large',
    `${name} expands to more than ${Math.floor(limitBytes / 1024 / 1024)} MB, or holds more than ${mostFiles} files.`,
  );
}

function packedFile(zip: ZipFile, entry: Entry, archive: string): PackedFile {
  return {
    name: entry.fileName,
    comment: entry.fileComment,
    bytes: entry.uncompressedSize,
    packedBytes: entry.compressedSize,
    open: () => unpack(zip, entry, `${entry.fileName} in ${archive}`),
  };
}

async function* unpack(zip: ZipFile, entry: Entry, name: string): AsyncGenerator<Uint8Array> {
  if (entry.isEncrypted()) throw broken(name, 'it is encrypted');
  const stream = await refusing(name, async () => zip.openReadStreamPromise(entry));
  let sum = 0;
  try {
    for await (const bytes of stream as AsyncIterable<Buffer>) {
      sum = crc32(bytes, sum);
      yield bytes;
    }
  } catch (error) {
    throw broken(name, messageOf(error));
  }
  if (sum !== entry.crc32) throw broken(name, 'its checksum is wrong');
}

/** Whatever is found wrong here is wrong with the file. */
async function refusing<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StudioError) throw error;
    throw broken(name, messageOf(error));
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function broken(name: string, why: string): StudioError {
  return new StudioError('parse_failed', `${name} cannot be unpacked: ${why}.`);
}

/** A packed file that tells, while it is read, how many of the archive's bytes that takes. */
export function counting(file: PackedFile, onRead: (bytes: number) => void): PackedFile {
  const share = file.bytes === 0 ? 0 : file.packedBytes / file.bytes;
  async function* open(): AsyncGenerator<Uint8Array> {
    for await (const bytes of file.open()) {
      onRead(bytes.length * share);
      yield bytes;
    }
  }
  return { ...file, open };
}
