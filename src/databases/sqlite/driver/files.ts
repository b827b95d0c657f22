import { constants, statSync } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { StudioError } from '../../../model/errors.ts';
import { makeFolder, removeFolder } from '../../../processes/scratch-folder.ts';

/** A file in messages: only its name, because clients must not see paths of the server. */
export function fileLabel(path: string): string {
  return `"${basename(path)}"`;
}

/** Checks a file before the driver opens it, for clearer errors. */
export async function checkFile(path: string): Promise<void> {
  if (path !== path.trimEnd()) throw unavailable(path, 'ends with a space; rename it');
  const header = await readHeader(path);
  const isDatabase = header.length === 0 || header.toString('latin1') === 'SQLite format 3\0';
  if (!isDatabase) throw unavailable(path, 'is not a SQLite database, or it is encrypted');
}

async function readHeader(path: string): Promise<Buffer> {
  try {
    await rejectOtherThanFile(path);
    return await readBytes(path, { position: 0, length: 16 });
  } catch (error) {
    throw fileError(error, path);
  }
}

/** Opening a named pipe would wait forever for its other end. */
async function rejectOtherThanFile(path: string): Promise<void> {
  const stats = await stat(path);
  if (stats.isDirectory()) throw unavailable(path, 'is a folder');
  if (!stats.isFile()) throw unavailable(path, 'is a pipe or a device, not a file');
}

async function readBytes(
  path: string,
  { position, length }: { readonly position: number; readonly length: number },
): Promise<Buffer> {
  // Does not wait if the file has become a named pipe. Windows lacks the flag.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Reads the file format write version; 2 means WAL. https://www.sqlite.org/fileformat.html#file_format_version_numbers */
export async function isInWalMode(path: string): Promise<boolean> {
  const [version] = await readBytes(path, { position: 18, length: 1 }).catch(() => Buffer.alloc(0));
  return version === 2;
}

/** Creates an empty file, which is an empty database. Returns false if it exists. */
export async function createFile(path: string): Promise<boolean> {
  try {
    await (await open(path, 'ax')).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw fileError(error, path);
  }
  try {
    await rejectOtherThanFile(path).catch(ignoreMissing);
    // Also of a link to a missing file.
    await (await open(path, 'a')).close();
    return false;
  } catch (error) {
    throw fileError(error, path);
  }
}

function ignoreMissing(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}

/** Removes the file if it is an empty database that nobody is writing to. */
export async function removeEmptyFile(path: string): Promise<void> {
  const companions = ['-journal', '-wal'].map((suffix) => fileIdentity(path + suffix));
  if (companions.some((identity) => identity !== undefined)) return;
  if ((await stat(path).catch(() => undefined))?.size === 0) await rm(path, { force: true });
}

/** Whether the file has a rollback journal: another process is writing, or one has crashed. */
export async function hasJournal(path: string): Promise<boolean> {
  try {
    return (await stat(`${path}-journal`)).size > 0;
  } catch {
    return false;
  }
}

/** Device and inode of the file; undefined if it does not exist. They change when the file is replaced. */
export function fileIdentity(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path);
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

/** Creates a private file for `:memory:`, in a folder of its own that is removed with it. */
export async function makePrivateFile(): Promise<{
  readonly path: string;
  remove(): Promise<void>;
}> {
  const folder = await makeFolder();
  const path = join(folder, 'memory.db');
  await createFile(path);
  return { path, remove: () => removeFolder(folder) };
}

const missing = 'does not exist';
const missingFolder = 'does not exist, nor does its folder';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: missing,
  ENOTDIR: missing,
  EISDIR: 'is a folder',
  EACCES: 'cannot be opened: the user that the studio runs as lacks the permission',
  EPERM: 'cannot be opened: the user that the studio runs as lacks the permission',
  EROFS: 'cannot be created: the disk is read-only',
};

function fileError(error: unknown, path: string): unknown {
  if (error instanceof StudioError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = reasons[code] ?? `cannot be opened (${code})`;
  return unavailable(path, reason === missing && !isInFolder(path) ? missingFolder : reason);
}

function isInFolder(path: string): boolean {
  return statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory() === true;
}

function unavailable(path: string, reason: string): StudioError {
  const isMissing = reason === missing || reason === missingFolder;
  const details = isMissing
    ? { missing_file: fileLabel(path), can_be_created: reason === missing }
    : undefined;
  return new StudioError(
    'database_unavailable',
    `The database file ${fileLabel(path)} ${reason}.`,
    details,
  );
}

/** The error for a file that existed when it was opened. */
export function missingFileError(path: string): StudioError {
  return unavailable(path, 'was moved or removed');
}
