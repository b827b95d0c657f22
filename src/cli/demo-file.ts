/** The demo database in the state folder: made on first use, kept as its user leaves it. */
import { randomUUID } from 'node:crypto';
import { link, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { failed } from './exit-error.ts';

export interface DemoSource {
  /** In the file's name, so that a newer studio makes a newer demo. */
  readonly version: number;
  /** Writes the whole database to a path where there is none. */
  build(path: string): Promise<void>;
}

/** The path of the demo database, after making it when it is missing or broken. Several processes may do so at once. */
export async function ensureDemo(stateDir: string, source: DemoSource): Promise<string> {
  const path = join(stateDir, `demo-v${source.version}.db`);
  if (await isWhole(path)) return path;
  if (!(await exists(path))) await removeJournals(path);
  await sweepAbandoned(stateDir);
  const draft = join(stateDir, `${draftPrefix}${randomUUID()}.db`);
  try {
    await source.build(draft);
    await publish(draft, path);
  } catch (error) {
    throw failed(`The demo database ${path} cannot be made: ${(error as Error).message}`);
  } finally {
    await rm(draft, { force: true });
    await removeJournals(draft);
  }
  return path;
}

/** Of several processes that build at once the first wins, so that nobody's open file is taken away. */
async function publish(draft: string, path: string): Promise<void> {
  if ((await moveInto(draft, path)) || (await isWhole(path))) return;
  await rm(path, { force: true });
  await removeJournals(path);
  await moveInto(draft, path);
}

/** False when there is a file already: a hard link, unlike a renamed file, never replaces one. */
async function moveInto(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    // Some file systems (FAT, some network shares) know no hard links.
    await rename(draft, path);
  }
  return true;
}

/** A journal that outlives its database would be rolled back into the next one of that name. */
async function removeJournals(path: string): Promise<void> {
  const names = ['-journal', '-wal', '-shm'].map((ending) => path + ending);
  await Promise.all(names.map((name) => rm(name, { force: true })));
}

const headerBytes = 100;
const magic = 'SQLite format 3\0';

/**
 * Whether the file is as long as its header says: a file that was cut short, emptied or overwritten
 * is not. With a journal beside it the length may be on its way, and the database sees to it.
 * https://www.sqlite.org/fileformat2.html#the_database_header
 */
async function isWhole(path: string): Promise<boolean> {
  const file = await open(path).catch(() => undefined);
  if (!file) return false;
  try {
    const header = Buffer.alloc(headerBytes);
    await file.read(header, 0, headerBytes, 0);
    if (header.toString('latin1', 0, magic.length) !== magic) return false;
    const { size } = await file.stat();
    return size >= pageBytes(header) * header.readUInt32BE(28) || (await exists(`${path}-journal`));
  } finally {
    await file.close();
  }
}

/** 65536 does not fit into its two bytes and is written as 1. */
function pageBytes(header: Buffer): number {
  const written = header.readUInt16BE(16);
  return written === 1 ? 65_536 : written;
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

const draftPrefix = '.demo-draft-';
const abandonedAfterMs = 3_600_000;

/** Drafts of processes that were killed while they built. */
async function sweepAbandoned(stateDir: string): Promise<void> {
  const names = (await readdir(stateDir)).filter((name) => name.startsWith(draftPrefix));
  for (const name of names) {
    const path = join(stateDir, name);
    const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now());
    if (age > abandonedAfterMs) await rm(path, { force: true });
  }
}
