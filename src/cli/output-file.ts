/** Files that commands write: under a temporary name until they are complete. */
import type { Stats } from 'node:fs';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { failed } from './exit-error.ts';
import type { ExitError } from './exit-error.ts';

/** A path and the flag that names it, for errors. */
export interface NamedPath {
  readonly flag: string;
  readonly path: string;
}

export interface OutputFile {
  readonly bytes: Writable;
  /** Gives the complete file its name. */
  complete(): Promise<void>;
  /** Removes an incomplete file. */
  remove(): Promise<void>;
}

/** Opens the file before its content is read, so that nothing is read if it cannot be written. */
export async function openOutputFile(named: NamedPath): Promise<OutputFile> {
  const existing = await existingFile(named);
  if (existing !== undefined && !existing.isFile()) return openDevice(named);
  const { target, partial } = await partialFile(named);
  const mode = existing === undefined ? undefined : existing.mode & permissionBits;
  const bytes = (await openFor(named, partial, mode)).createWriteStream();
  return {
    bytes,
    complete: () => rename(partial, target),
    remove: async () => {
      bytes.destroy();
      await rm(partial, { force: true });
    },
  };
}

const permissionBits = 0o777;

/** A pipe, or a device such as /dev/null, whose name must not become that of a file. */
async function openDevice(named: NamedPath): Promise<OutputFile> {
  const bytes = (await openFor(named, named.path)).createWriteStream();
  return {
    bytes,
    complete: async () => {},
    remove: async () => void bytes.destroy(),
  };
}

async function openFor(named: NamedPath, path: string, mode?: number) {
  try {
    return await open(path, 'w', mode);
  } catch (error) {
    throw unwritable(named, error);
  }
}

export interface PartialFile {
  /** The file of the flag; that to which a symbolic link leads. */
  readonly target: string;
  /** The name of the file until it is complete. */
  readonly partial: string;
}

/** Where to write a file that is renamed when it is complete. Throws unless it can replace what is there. */
export async function partialFile(named: NamedPath): Promise<PartialFile> {
  const existing = await existingFile(named);
  if (existing?.isFile() === false)
    throw failed(`--${named.flag}: ${named.path} cannot be written: it is not a file.`);
  const folder = dirname(resolve(named.path));
  await stat(folder).catch((error: unknown) => {
    throw unwritable(named, error);
  });
  const target = existing === undefined ? resolve(named.path) : await realpath(named.path);
  return { target, partial: `${target}.${process.pid}.part` };
}

/** What is at the path, if it is not a folder. */
async function existingFile(named: NamedPath): Promise<Stats | undefined> {
  const existing = await stat(named.path).catch(() => undefined);
  if (existing?.isDirectory() === true)
    throw failed(
      `--${named.flag}: ${named.path} cannot be written: it is a folder. Name a file in it.`,
    );
  return existing;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder does not exist',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
};

function unwritable({ flag, path }: NamedPath, error: unknown): ExitError {
  const { code = '' } = error as NodeJS.ErrnoException;
  return failed(`--${flag}: ${path} cannot be written: ${reasons[code] ?? code}.`);
}
