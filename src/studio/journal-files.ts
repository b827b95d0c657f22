/** Where journals are on disk, and what is in them. */
import { lstat, mkdir, readFile, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StudioError } from '../model/errors.ts';
import { stateNameOf } from './state-name.ts';
import type { Stats } from 'node:fs';
import type { JobContext } from './job.ts';

/** What is added to a table that was there. */
export interface Addition {
  readonly table: string;
  /** The statement that takes it back. */
  readonly undo: string;
  /** Set for a column, whose values are looked at before it goes. */
  readonly column?: string;
}

export type JournalEntry = string | Addition;

export type JournalPlace = Pick<JobContext, 'stateDir' | 'target' | 'database' | 'journal'>;

const ending = '.journal';

/** One folder per database, made if need be. */
export async function makeJournalFolder(place: JournalPlace): Promise<string> {
  if (place.stateDir === undefined) await makeTemporaryFolder();
  const folder = folderOf(place);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Undefined where there is none yet. */
export async function findJournalFolder(place: JournalPlace): Promise<string | undefined> {
  const parent = place.stateDir ?? temporaryFolder;
  const found = await lstat(parent).catch(() => undefined);
  if (found === undefined) return undefined;
  if (place.stateDir === undefined) mustBeOwn(found);
  return folderOf(place);
}

function folderOf({ stateDir, target }: JournalPlace): string {
  return join(stateDir ?? temporaryFolder, 'journals', stateNameOf(target.url));
}

export function journalPath(folder: string, name: string): string {
  return join(folder, `${name}${ending}`);
}

/** The names of a folder's journals. */
export async function journalsIn(folder: string): Promise<readonly string[]> {
  const files = await readdir(folder).catch(() => []);
  return files.filter((file) => file.endsWith(ending)).map((file) => file.slice(0, -ending.length));
}

/**
 * Undefined for a journal that is no longer there. A last line that a crash cut off stands for
 * nothing that was made.
 */
export async function readEntries(path: string): Promise<readonly JournalEntry[] | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  const lines = text?.split('\n').slice(0, -1);
  return lines?.map((line) => JSON.parse(line) as JournalEntry);
}

const user = process.getuid?.();

/**
 * The same for every studio of a user that has no state folder, so that the next one finds what a
 * killed one left.
 */
const temporaryFolder = join(tmpdir(), `database-studio-state-${user ?? 'user'}`);

async function makeTemporaryFolder(): Promise<void> {
  await mkdir(temporaryFolder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  mustBeOwn(await lstat(temporaryFolder));
}

/** The statements of a journal are run: a folder that somebody else could write is not used. */
function mustBeOwn(found: Stats): void {
  const isOwn = user === undefined || (found.uid === user && (found.mode & 0o077) === 0);
  if (found.isDirectory() && isOwn) return;
  const message = `The folder ${temporaryFolder} must belong to this user alone: the studio notes there what an import makes. Remove it, or name a state folder.`;
  throw new StudioError('import_failed', message, { errors: [{ code: 'import_failed', message }] });
}
