/**
 * Files of rejected rows for clients to download. The oldest are removed when they have expired or together
 * exceed the limit, all when the studio is closed.
 */
import { randomUUID } from 'node:crypto';
import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StudioError } from '../../model/errors.ts';
import { makeFolder, removeFolder } from '../../processes/scratch-folder.ts';

export interface RejectedFiles {
  /** The size of all files together. */
  readonly maxBytes: number;
  /** Moves the file here and returns its id. Undefined if the studio has been closed meanwhile. */
  add(path: string, description: RejectedFileDescription): Promise<string | undefined>;
  /** Fails with `not_found` also for the files of other clients. */
  find(id: string, owner: string): RejectedFile;
  close(): Promise<void>;
}

export interface RejectedFileDescription {
  /** The session or the credentials of the import. Only the same may download the file. */
  readonly owner: string;
  readonly name: string;
  readonly mediaType: string;
}

export interface RejectedFile extends RejectedFileDescription {
  readonly path: string;
  readonly bytes: number;
}

export interface RejectedFileLimits {
  readonly maxBytes: number;
  readonly maxAgeMs?: number;
  readonly maxFiles?: number;
}

const hourMs = 3_600_000;

export function createRejectedFiles({
  maxBytes,
  maxAgeMs = hourMs,
  maxFiles = 1000,
}: RejectedFileLimits): RejectedFiles {
  const files = new Map<string, RejectedFile>();
  let folder: Promise<string> | undefined;
  let isClosed = false;
  const remove = async (id: string): Promise<void> => {
    const file = files.get(id);
    if (file === undefined) return;
    files.delete(id);
    await rm(file.path, { force: true }).catch(() => {});
  };
  const makeRoom = async (): Promise<void> => {
    const total = (): number => [...files.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    for (const id of [...files.keys()]) {
      if (files.size <= maxFiles && total() <= maxBytes) return;
      await remove(id);
    }
  };
  return {
    maxBytes,
    add: async (from, description) => {
      folder ??= makeFolder();
      const id = randomUUID();
      const path = join(await folder, id);
      const { size: bytes } = await stat(from);
      await rename(from, path);
      if (isClosed) {
        await rm(path, { force: true });
        return undefined;
      }
      files.set(id, { ...description, path, bytes });
      setTimeout(() => void remove(id), maxAgeMs).unref();
      await makeRoom();
      return id;
    },
    find: (id, owner) => {
      const file = files.get(id);
      if (file?.owner === owner) return file;
      throw new StudioError(
        'not_found',
        'There is no such file of rejected rows, or no longer. Import the file again to get one.',
      );
    },
    close: async () => {
      isClosed = true;
      files.clear();
      if (folder !== undefined) await removeFolder(await folder);
    },
  };
}
