/** Where journals are on disk, and what is in them. */
import { lstat, mkdir, readFile, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StudioError } from '../model/errors.ts';
import { stateNameOf } from './state-name.ts';
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

/** One folder per database. */
export async function journalFolder({ stateDir, target }: JournalPlace): Promise<string> {
  const parent = stateDir ?? (await temporaryFolder());
  return join(parent, 'journals', stateNameOf(target.url));
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

/**
 * The same for every studio of a user that has no state folder, so that the next one finds what a
 * killed one left. The statements of a journal are run: a folder that somebody else could write is
 * not used.
 */
async function temporaryFolder(): Promise<string> {
  const user = process.getuid?.();
  const folder = join(tmpdir(), `database-studio-state-${user ?? 'user'}`);
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const found = await lstat(folder);
  const isOwn = user === undefined || (found.uid === user && (found.mode & 0o077) === 0);
  if (found.isDirectory() && isOwn) return folder;
  const message = `The folder ${folder} must belong to this user alone: the studio notes there what an import makes. Remove it, or name a state folder.`;
  throw new StudioError('import_failed', message, { errors: [{ code: 'import_failed', message }] });
}
