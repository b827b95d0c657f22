/**
 * Imports that are creating tables, where each statement of DDL commits: others see such a table although it vanishes
 * when its import fails. Each import locks the names of its tables in the database, for the studios that do not share
 * its journals. Journals also show imports at other servers of a cluster, where the locks are not known.
 */
import { StudioError } from '../../../model/errors.ts';
import {
  findJournalFolder,
  hasEnded,
  journalPath,
  journalsIn,
  readEntries,
} from './journal-files.ts';
import { valueOf } from './remove-created.ts';
import type { Database, Session } from '../../../model/database.ts';
import type { JobContext } from '../../core/job.ts';
import type { JournalContext, JournalEntry } from './journal-files.ts';

/**
 * An import changes its session, and its locks are free for a moment. One that takes them then fails, since the tables
 * exist, and releases them at once; without the wait, both would fail.
 */
const lockWaitSeconds = 1;

/** Locks the names for the session. Returns one that another session holds; the others may be locked by then. */
export async function lockNames(
  session: Session,
  { dialect }: Database<'ddl'>,
  names: readonly string[],
): Promise<string | undefined> {
  const { ddlUndo } = dialect.ddl;
  if (ddlUndo === undefined) return undefined;
  // In one order, so that of several imports that begin at once one gets all names.
  for (const name of names.toSorted()) {
    const isLocked = await valueOf(session, ddlUndo.lockName(name, lockWaitSeconds));
    if (isLocked !== '1') return name;
  }
  return undefined;
}

/** Unlocks those of the names that the session has locked. */
export async function unlockNames(
  session: Session,
  { dialect }: Database<'ddl'>,
  names: readonly string[],
): Promise<void> {
  const { ddlUndo } = dialect.ddl;
  if (ddlUndo === undefined) return;
  for (const name of names) await session.run({ text: ddlUndo.unlockName(name), params: [] });
}

type RunningContext = JournalContext<'ddl'> & Pick<JobContext<'ddl'>, 'schemas'>;

/** Runs an import. That a table exists is its error only if no other import is still creating the table. */
export async function unlessBeingCreated<T>(
  context: RunningContext,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StudioError && error.code === 'table_exists')
      await rejectBeingCreated(context, error.details['tables'] as readonly string[]);
    throw error;
  }
}

/** Fails with `database_busy` if another import is creating or changing one of these tables and views, or was until now. */
export async function rejectBeingCreated(
  context: RunningContext,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0 || context.database.dialect.ddl.ddlUndo === undefined) return;
  const name = (await nameInJournals(context, names)) ?? (await nameWithoutTable(context, names));
  if (name !== undefined) throw beingCreatedError(name);
}

export function beingCreatedError(name: string): StudioError {
  return new StudioError(
    'database_busy',
    `Another import is creating or changing ${name} and has not ended. Repeat this import when it has.`,
    { table: name },
  );
}

/** One of the names that another import has recorded. */
async function nameInJournals(
  context: RunningContext,
  names: readonly string[],
): Promise<string | undefined> {
  const folder = await findJournalFolder(context);
  if (folder === undefined) return undefined;
  for (const journal of await journalsIn(folder)) {
    if (journal === context.journal) continue;
    const entries = (await readEntries(journalPath(folder, journal))) ?? [];
    const changed = new Set(changedNames(entries));
    const found = names.find((name) => changed.has(name));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The names of what the import creates, and of tables that it changes. */
export function changedNames(entries: readonly JournalEntry[]): readonly string[] {
  return hasEnded(entries) ? [] : [...new Set(entries.flatMap(changedName))];
}

function changedName(entry: JournalEntry): readonly string[] {
  if (typeof entry === 'string') return [entry];
  return 'undo' in entry && entry.isTemporary !== true ? [entry.table] : [];
}

/**
 * One of the names that another import has locked, or whose table does not exist while nobody creates it. Locks
 * nothing, since a lock would make the import fail that creates the table.
 */
async function nameWithoutTable(
  { database, schemas }: RunningContext,
  names: readonly string[],
): Promise<string | undefined> {
  return database.runOutsideTransaction(async (session) => {
    const locked = await lockedName(session, database, names);
    if (locked !== undefined) return locked;
    const { schema } = await schemas.refresh();
    // Some servers ignore the case of names.
    const existing = new Set(
      [...schema.tables, ...schema.views].map(({ name }) => name.toLowerCase()),
    );
    const missing = names.find((name) => !existing.has(name.toLowerCase()));
    // The table may be of an import that began, or changed its session, meanwhile.
    return missing ?? (await lockedName(session, database, names));
  });
}

async function lockedName(
  session: Session,
  { dialect }: Database<'ddl'>,
  names: readonly string[],
): Promise<string | undefined> {
  const { ddlUndo } = dialect.ddl;
  if (ddlUndo === undefined) return undefined;
  for (const name of names) {
    if ((await valueOf(session, ddlUndo.isNameLocked(name))) === '1') return name;
  }
  return undefined;
}
