/** The location and the contents of journals on disk. */
import { lstat, mkdir, readFile, readdir, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StudioError } from '../../../model/errors.ts';
import { stateUnavailable } from '../../core/state-folder.ts';
import { stateFileName } from '../../core/state-file-name.ts';
import type { Stats } from 'node:fs';
import type { CreatedObject } from '../../../model/ddl-dialect.ts';
import type { ScriptProgram } from '../../../model/stored-program.ts';
import type { Capability } from '../../../model/capabilities.ts';
import type { JobContext } from '../../core/job.ts';

/** A change of a table that existed before, or a database for a dry run. */
export interface Addition {
  /** The name of the table, or of the database for a dry run. The member is part of the files on disk. */
  readonly table: string;
  /** The statement that reverts it. */
  readonly undo: string;
  /** Set for an added column. It is dropped only if no other session has written values to it. */
  readonly column?: string;
  /** The time of the session that added the column, of which its default may depend. */
  readonly time?: string;
  /** Another addition, as in messages: `index idx_users_note`. */
  readonly object?: string;
  /** The same addition has been undone by the import itself. */
  readonly isReverted?: true;
  /** Set for a database for a dry run, whose name means nothing to users. */
  readonly isTemporary?: true;
}

/** Recorded before the rows are committed: what remains to be done after that. */
export interface Completion {
  /** Statements, in groups. Earlier versions have here those of triggers and routines too. */
  readonly complete: readonly (readonly string[])[];
  /** Triggers and routines, of which some may exist already. */
  readonly programs?: readonly ScriptProgram[];
}

/** Recorded after the rows are committed. */
export interface Commit {
  readonly committed: true;
}

/** Recorded before the marker of the import is created. */
export interface MarkerEntry {
  readonly hasMarker: true;
}

/** The first entry, where its process can be distinguished from those of other machines and containers. */
export interface Owner {
  /** The machine and its processes that can see each other. */
  readonly owner: string;
  readonly pid: number;
}

/** Recorded before something is created, to distinguish it from what others create with its name. */
export interface Planned {
  /** The name of a table or view, or the statement that drops anything else. */
  readonly creating: string;
  /** The columns of a table. */
  readonly columns?: readonly string[];
  readonly program?: Pick<ScriptProgram, 'kind' | 'name' | 'text'>;
  /** Set for a column, index or constraint of a table that existed before. */
  readonly addition?: CreatedObject & {
    /** The statement that adds it. */
    readonly text: string;
  };
}

/** Recorded once it exists. */
export interface Created {
  /** As in `Planned.creating`. */
  readonly created: string;
  /** As the database stores it: a hash of `DdlUndo.definitionOf`. */
  readonly definition?: string | undefined;
}

/** Recorded by whoever undoes or completes the import, before the first change: its process may only have been stopped. */
export interface Takeover {
  readonly takenOver: true;
}

/** Recorded at the end: nothing but its marker is left to remove. */
export interface End {
  readonly ended: true;
  /** Nothing of the import is left. Otherwise it was complete. */
  readonly isUndone?: true;
}

/** A string names a table or view that the import created. */
export type JournalEntry =
  | string
  | Owner
  | Addition
  | Planned
  | Created
  | Completion
  | Commit
  | MarkerEntry
  | Takeover
  | End;

export type JournalContext<C extends Capability = never> = Pick<
  JobContext<C>,
  'stateDir' | 'target' | 'database' | 'journal' | 'onPhase'
>;

const suffix = '.journal';

/** One folder per database, created when it is missing. */
export async function makeJournalFolder(context: JournalContext): Promise<string> {
  const folder = folderOf(context);
  try {
    if (context.stateDir === undefined) await makeTemporaryFolder();
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  } catch (error) {
    throw error instanceof StudioError ? error : folderUnavailable(context, error);
  }
}

/** Imports fail without a journal: what they create could not be removed. */
export function folderUnavailable(
  { stateDir = temporaryFolder }: JournalContext,
  error: unknown,
): StudioError {
  return stateUnavailable('written', error, stateDir);
}

/** Undefined where there is none yet. */
export async function findJournalFolder(
  context: Pick<JournalContext, 'stateDir' | 'target'>,
): Promise<string | undefined> {
  const parent = context.stateDir ?? temporaryFolder;
  const found = await lstat(parent).catch(() => undefined);
  if (found === undefined) return undefined;
  if (context.stateDir === undefined) assertPrivate(found);
  return folderOf(context);
}

function folderOf({ stateDir, target }: Pick<JournalContext, 'stateDir' | 'target'>): string {
  return join(stateDir ?? temporaryFolder, 'journals', stateFileName(target.url));
}

export function journalPath(folder: string, name: string): string {
  return join(folder, `${name}${suffix}`);
}

/** The names of a folder's journals. */
export async function journalsIn(folder: string): Promise<readonly string[]> {
  const files = await readdir(folder).catch(() => []);
  return files.filter((file) => file.endsWith(suffix)).map((file) => file.slice(0, -suffix.length));
}

/** Undefined for a journal that no longer exists. Without the lines of a damaged one that cannot be read. */
export async function readEntries(path: string): Promise<readonly JournalEntry[] | undefined> {
  return (await readJournal(path))?.entries;
}

interface StoredJournal {
  readonly entries: readonly JournalEntry[];
  /** Whether a line before the last one cannot be read. */
  readonly isDamaged: boolean;
}

/**
 * A power loss can leave half of the last line, or zero bytes in its place. Its object was never created: the line is
 * complete on disk first.
 */
async function readJournal(path: string): Promise<StoredJournal | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const lines = text.split('\n').slice(0, -1);
  const parsed = lines.filter((line) => line !== '').map(parseLine);
  const entries = parsed.filter((entry) => entry !== undefined);
  // After half of a last line, whoever takes the import over writes on a line of its own.
  const isLast = (at: number): boolean => at === parsed.length - 1 || isTakeover(parsed[at + 1]);
  const isDamaged = parsed.some((entry, at) => entry === undefined && !isLast(at));
  // The lost line may be that of the marker, which shows whether rows are committed.
  return { entries: isDamaged ? [...entries, { hasMarker: true }] : entries, isDamaged };
}

/** Undefined for a line that is damaged. */
function parseLine(line: string): JournalEntry | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isEntry = typeof value === 'string' || (typeof value === 'object' && value !== null);
    return isEntry ? (value as JournalEntry) : undefined;
  } catch {
    return undefined;
  }
}

/** Renames a damaged journal whose readable entries have been undone, for the administrator. Returns its new path. */
export async function putAsideIfDamaged(path: string): Promise<string | undefined> {
  const journal = await readJournal(path);
  if (journal?.isDamaged !== true || hasEnded(journal.entries)) return undefined;
  const aside = `${path}.damaged`;
  await rename(path, aside);
  return aside;
}

const user = process.getuid?.();

/**
 * Shared by all studios of a user that have no state folder, so that the next one finds the journals
 * of one that was killed.
 */
const temporaryFolder = join(tmpdir(), `database-studio-state-${user ?? 'user'}`);

async function makeTemporaryFolder(): Promise<void> {
  await mkdir(temporaryFolder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  assertPrivate(await lstat(temporaryFolder));
}

/** Rejects a folder that other users can write to, because the statements in journals are executed. */
function assertPrivate(found: Stats): void {
  const isOwn = user === undefined || (found.uid === user && (found.mode & 0o077) === 0);
  if (found.isDirectory() && isOwn) return;
  const message = `The folder ${temporaryFolder} must belong to this user and be closed to others, because the studio keeps the journals of imports in it. Remove it, or set a state folder.`;
  throw new StudioError('import_failed', message, { errors: [{ code: 'import_failed', message }] });
}

/** Whether an entry shows that others undo or complete the import. */
export function isTakeover(entry: JournalEntry | undefined): entry is Takeover {
  return typeof entry === 'object' && 'takenOver' in entry;
}

export function isComplete(entries: readonly JournalEntry[]): boolean {
  return entries.some(
    (entry) => typeof entry === 'object' && 'ended' in entry && entry.isUndone !== true,
  );
}

export function hasEnded(entries: readonly JournalEntry[]): boolean {
  return entries.some((entry) => typeof entry === 'object' && 'ended' in entry);
}
