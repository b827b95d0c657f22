/** The demo database in the state folder. It is created on first use and never overwritten. */
import { randomUUID } from 'node:crypto';
import { link, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { failed } from './exit-error.ts';

export interface DemoSource {
  /** Part of the file name, so that a new version of the demo is created beside the old one. */
  readonly version: number;
  /** Creates the database file at a path that does not exist yet. */
  build(path: string): Promise<void>;
}

/** Returns the path of the demo database and creates it if it is missing or damaged. Safe for concurrent processes. */
export async function ensureDemo(stateDir: string, source: DemoSource): Promise<string> {
  const path = join(stateDir, `demo-v${source.version}.db`);
  if (await isComplete(path)) return path;
  if (!(await exists(path))) await removeJournals(path);
  await sweepAbandoned(stateDir);
  const draft = join(stateDir, `${draftPrefix}${randomUUID()}.db`);
  try {
    await source.build(draft);
    await publish(draft, path);
  } catch (error) {
    throw failed(`The demo database ${path} cannot be created: ${(error as Error).message}`);
  } finally {
    await rm(draft, { force: true });
    await removeJournals(draft);
  }
  return path;
}

/** If several processes build concurrently, the first one wins, so that no open file is replaced. */
async function publish(draft: string, path: string): Promise<void> {
  if ((await linkOrRename(draft, path)) || (await isComplete(path))) return;
  await rm(path, { force: true });
  await removeJournals(path);
  await linkOrRename(draft, path);
}

/** Returns false if the file exists. Unlike a rename, a hard link never replaces a file. */
async function linkOrRename(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    // Some file systems (FAT, some network shares) do not support hard links.
    await rename(draft, path);
  }
  return true;
}

/** SQLite would apply a leftover journal to a new database of the same name. */
async function removeJournals(path: string): Promise<void> {
  const names = ['-journal', '-wal', '-shm'].map((suffix) => path + suffix);
  await Promise.all(names.map((name) => rm(name, { force: true })));
}

const headerBytes = 100;
const signature = 'SQLite format 3\0';

/**
 * Whether the file has the length that its header states, which detects truncated and overwritten
 * files. With a journal beside it, the length may be wrong until SQLite recovers the database.
 * https://www.sqlite.org/fileformat2.html#the_database_header
 */
async function isComplete(path: string): Promise<boolean> {
  const file = await open(path).catch(() => undefined);
  if (!file) return false;
  try {
    const header = Buffer.alloc(headerBytes);
    await file.read(header, 0, headerBytes, 0);
    if (header.toString('latin1', 0, signature.length) !== signature) return false;
    const { size } = await file.stat();
    return size >= pageBytes(header) * header.readUInt32BE(28) || (await exists(`${path}-journal`));
  } finally {
    await file.close();
  }
}

/** The page size 65536 does not fit into two bytes and is stored as 1. */
function pageBytes(header: Buffer): number {
  const storedPageSize = header.readUInt16BE(16);
  return storedPageSize === 1 ? 65_536 : storedPageSize;
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

const draftPrefix = '.demo-draft-';
const abandonedAfterMs = 3_600_000;

/** Removes drafts of processes that were killed during the build. */
async function sweepAbandoned(stateDir: string): Promise<void> {
  const names = (await readdir(stateDir)).filter((name) => name.startsWith(draftPrefix));
  for (const name of names) {
    const path = join(stateDir, name);
    const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now());
    if (age > abandonedAfterMs) await rm(path, { force: true });
  }
}
