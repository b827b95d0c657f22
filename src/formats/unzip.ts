/** Reads zip archives on disk, entry by entry in any order. They are never unpacked as a whole. */
import { crc32 } from 'node:zlib';
import { openPromise } from 'yauzl';
import { StudioError } from '../model/errors.ts';
import type { Entry, ZipFile } from 'yauzl';
import type { ArchiveFile } from '../portable/files/archive.ts';

export interface Archive {
  readonly files: readonly ArchiveFile[];
  close(): void;
}

export interface ArchiveSource {
  readonly name: string;
  readonly path: string;
  /** Limit for the uncompressed size of all files together. */
  readonly limitBytes: number;
}

const maxFiles = 10_000;

/**
 * The highest ratio of uncompressed to compressed size. Reading 10 GB takes minutes, so a file of some megabytes
 * must not expand to it. Deflate reaches 1000; large tables and workbooks have 5 to 50.
 */
const maxRatio = 200;
/** Archives that expand to at most this size may have any ratio. */
const maxUncheckedBytes = 256 * 1024 * 1024;

/** yauzl fails while it reads a file that is longer than its directory entry states, so the limit on these sizes holds. */
export async function openArchive(source: ArchiveSource): Promise<Archive> {
  const zip = await withParseErrors(source.name, async () =>
    openPromise(source.path, { autoClose: false, lazyEntries: true, validateEntrySizes: true }),
  );
  try {
    const files = await withParseErrors(source.name, async () => readDirectory(zip, source));
    return { files, close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function readDirectory(zip: ZipFile, source: ArchiveSource): Promise<readonly ArchiveFile[]> {
  const entries: Entry[] = [];
  let bytes = 0;
  for await (const entry of zip.eachEntry()) {
    bytes += entry.uncompressedSize;
    if (bytes > source.limitBytes || entries.length >= maxFiles) throw tooLarge(source);
    entries.push(entry);
  }
  if (bytes > maxUncheckedBytes && bytes > maxRatio * zip.fileSize)
    throw tooDense(source.name, bytes, zip.fileSize);
  rejectOverlaps(zip, entries, source.name);
  return entries
    .filter(({ fileName }) => !fileName.endsWith('/'))
    .map((entry) => archiveFile(zip, entry, source.name));
}

/** Minimum: name and extra fields follow, whose lengths may differ from those in the directory. */
const localHeaderBytes = 30;

/** With entries that share bytes, a small archive could expand to any size (a zip bomb). */
function rejectOverlaps(zip: ZipFile, entries: readonly Entry[], name: string): void {
  const inOrder = entries.toSorted(
    (a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader,
  );
  let end = 0;
  let before: Entry | undefined;
  for (const entry of inOrder) {
    if (before !== undefined && entry.relativeOffsetOfLocalHeader < end)
      throw unpackError(name, `its files "${before.fileName}" and "${entry.fileName}" overlap`);
    before = entry;
    end = entry.relativeOffsetOfLocalHeader + localHeaderBytes + entry.compressedSize;
    if (end > zip.fileSize)
      throw unpackError(name, `its file "${entry.fileName}" extends beyond the end of the archive`);
  }
}

function tooLarge({ name, limitBytes }: ArchiveSource): StudioError {
  return new StudioError(
    'too_large',
    `${name} expands to more than ${Math.floor(limitBytes / 1024 / 1024)} MB, or contains more than ${maxFiles} files.`,
  );
}

function tooDense(name: string, bytes: number, fileSize: number): StudioError {
  const megabytes = Math.floor(bytes / 1024 / 1024);
  return new StudioError(
    'too_large',
    `${name} expands to ${megabytes} MB, ${Math.floor(bytes / fileSize)} times its size. More than ${maxUncheckedBytes / 1024 / 1024} MB may be at most ${maxRatio} times the size of the file.`,
  );
}

function archiveFile(zip: ZipFile, entry: Entry, archive: string): ArchiveFile {
  return {
    name: entry.fileName,
    comment: entry.fileComment,
    bytes: entry.uncompressedSize,
    compressedBytes: entry.compressedSize,
    open: () => unpack(zip, entry, `${entry.fileName} in ${archive}`),
  };
}

async function* unpack(zip: ZipFile, entry: Entry, name: string): AsyncGenerator<Uint8Array> {
  if (entry.isEncrypted()) throw unpackError(name, 'it is encrypted');
  const stream = await withParseErrors(name, async () => zip.openReadStreamPromise(entry));
  let sum = 0;
  try {
    for await (const bytes of stream as AsyncIterable<Buffer>) {
      sum = crc32(bytes, sum);
      yield bytes;
    }
  } catch (error) {
    throw unpackError(name, messageOf(error));
  }
  if (sum !== entry.crc32) throw unpackError(name, 'its checksum is wrong');
}

/** Reports every error of yauzl as an error of the file. */
async function withParseErrors<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StudioError) throw error;
    throw unpackError(name, messageOf(error));
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function unpackError(name: string, reason: string): StudioError {
  return new StudioError(
    'parse_failed',
    `${name} cannot be unpacked: ${reason.replace(/\.+$/, '')}.`,
  );
}
