/** Undoes interrupted imports on databases that commit every DDL statement. */
import { rm } from 'node:fs/promises';
import { findJournalFolder, journalPath, journalsIn, readEntries } from './journal-files.ts';
import { createJournalWatch } from './journal-watch.ts';
import { isEmpty, removeCreated, valueOf } from './remove-created.ts';
import { undoAdditions } from './undo-additions.ts';
import { lockNames, unlockNames } from './running-imports.ts';
import type { UndoSession } from './remove-created.ts';
import type {
  Addition,
  Completion,
  Holder,
  JournalContext,
  JournalEntry,
} from './journal-files.ts';
import type { JournalWatch } from './journal-watch.ts';
import type { Database, Session } from '../../../model/database.ts';

/** The outcome of undoing journals. */
export interface UndoOutcome {
  /** Tables and views that were removed. */
  readonly removed: readonly string[];
  /** Tables, and columns as `table.column`, that stay because rows have been written to them since. */
  readonly used: readonly string[];
  /** Objects that may still exist: a running import holds its journal, or the database failed. */
  readonly pending: readonly string[];
  /** Errors that kept pending objects from being undone. */
  readonly failures: readonly string[];
  /** Tables and views of imports that had committed their rows, and whose triggers and routines now exist. */
  readonly completed: readonly string[];
}

const nothingUndone: UndoOutcome = {
  removed: [],
  used: [],
  pending: [],
  failures: [],
  completed: [],
};

/**
 * Undoes all journals of this database. That of an import at another server of a cluster is pending until the watch,
 * over several calls, has found it silent.
 */
export async function undoJournals(
  context: JournalContext,
  watch: JournalWatch = createJournalWatch(),
): Promise<UndoOutcome> {
  if (!isJournaled(context)) return nothingUndone;
  const folder = await findJournalFolder(context);
  if (folder === undefined) return nothingUndone;
  let all = nothingUndone;
  for (const name of await journalsIn(folder)) {
    const undone = await undoOne(context, folder, { name, waitSeconds: 0, watch });
    all = {
      removed: [...all.removed, ...undone.removed],
      used: [...all.used, ...undone.used],
      pending: [...all.pending, ...undone.pending],
      failures: [...all.failures, ...undone.failures],
      completed: [...all.completed, ...undone.completed],
    };
  }
  return all;
}

/**
 * Undoes one journal whose writer has died. Its session on the server, which may still run a
 * statement, is ended first. Undefined when there is no such journal: the import had created nothing
 * or was complete.
 */
export async function undoJournal(
  context: JournalContext,
  name: string,
): Promise<UndoOutcome | undefined> {
  if (!isJournaled(context)) return undefined;
  const folder = await findJournalFolder(context);
  if (folder === undefined || !(await journalsIn(folder)).includes(name)) return undefined;
  await endLockHolder(context.database, name).catch(() => undefined);
  return undoOne(context, folder, { name, waitSeconds: 1 });
}

/** Only databases that commit every DDL statement have journals. */
function isJournaled(context: JournalContext): context is JournalContext<'ddl'> {
  const { dialect } = context.database;
  return !context.target.readOnly && dialect.ddl?.ddlUndo !== undefined;
}

async function undoOne(
  context: JournalContext<'ddl'>,
  folder: string,
  { watch, ...request }: LockRequest & { readonly watch?: JournalWatch },
): Promise<UndoOutcome> {
  const path = journalPath(folder, request.name);
  const { database } = context;
  try {
    return await database.runOutsideTransaction(async (session) => {
      // Whoever waited would get the lock of a running import between two of its sessions.
      const { isHeld, server } = await lockJournal(session, database, request);
      // The previous holder of the lock may have undone the journal, so read it under the lock.
      const entries = await readEntries(path);
      if (entries === undefined) return nothingUndone;
      if (!isHeld) return pendingOf(entries);
      const mayBeAlive = isElsewhere(entries, server) && (await watch?.isSilent(path)) === false;
      if (mayBeAlive) return pendingOf(entries);
      const names = entries.filter((entry) => typeof entry === 'string');
      try {
        // The tables of these names may be those of another import.
        if ((await lockNames(session, database, names)) !== undefined) return pendingOf(entries);
        const undone = await undoEntries({ database, session }, entries);
        await rm(path, { force: true });
        return undone;
      } finally {
        await unlockNames(session, database, names);
      }
    });
  } catch (error) {
    const entries = (await readEntries(path).catch(() => undefined)) ?? [];
    const failure = error instanceof Error ? error.message : String(error);
    return { ...pendingOf(entries), failures: [failure] };
  }
}

function pendingOf(entries: readonly JournalEntry[]): UndoOutcome {
  return {
    ...nothingUndone,
    pending: entries.flatMap((entry) =>
      typeof entry === 'string' || isAddition(entry) ? nameOf(entry) : [],
    ),
  };
}

/** Whether the import is locked at another server, which alone knows the lock. */
function isElsewhere(entries: readonly JournalEntry[], server: string): boolean {
  const holder = entries.findLast(isHolder);
  return holder !== undefined && holder.server !== server;
}

function isHolder(entry: JournalEntry): entry is Holder {
  return typeof entry === 'object' && 'server' in entry;
}

function isAddition(entry: JournalEntry): entry is Addition {
  return typeof entry === 'object' && 'undo' in entry;
}

function isCompletion(entry: JournalEntry): entry is Completion {
  return typeof entry === 'object' && 'complete' in entry;
}

function nameOf(entry: string | Addition): string {
  if (typeof entry === 'string') return entry;
  if (entry.isTemporary === true) return 'the temporary database of a dry run';
  return entry.column === undefined ? entry.table : `${entry.table}.${entry.column}`;
}

interface LockRequest {
  /** The name of the journal. */
  readonly name: string;
  readonly waitSeconds: 0 | 1;
}

interface JournalLock {
  /** False if another session holds the lock. */
  readonly isHeld: boolean;
  /** The server of the session. */
  readonly server: string;
}

/** Locks the journal for the session. */
export async function lockJournal(
  session: Session,
  { dialect }: Database<'ddl'>,
  { name, waitSeconds }: LockRequest,
): Promise<JournalLock> {
  const text = dialect.ddl.ddlUndo?.acquireLock(name, waitSeconds);
  if (text === undefined) return { isHeld: false, server: '' };
  const { rows } = await session.run({ text, params: [] });
  const [result, server] = rows[0] ?? [];
  return { isHeld: String(result) === '1', server: String(server) };
}

/** A server finishes the statement of a killed process, and keeps its lock until then. */
async function endLockHolder(database: Database<'ddl'>, name: string): Promise<void> {
  const { ddlUndo } = database.dialect.ddl;
  if (ddlUndo === undefined) return;
  const holder = await valueOf(database, ddlUndo.lockHolder(name));
  if (holder !== 'null') await database.run({ text: ddlUndo.endSession(holder), params: [] });
}

async function undoEntries(
  undoSession: UndoSession,
  entries: readonly JournalEntry[],
): Promise<UndoOutcome> {
  const created = entries.filter((entry) => typeof entry === 'string');
  const completion = entries.findLast(isCompletion);
  if (completion !== undefined && (await haveRows(undoSession, created))) {
    await complete(undoSession, completion);
    return { ...nothingUndone, completed: created };
  }
  const usedColumns = await undoAdditions(undoSession, entries.filter(isAddition));
  const { removed, used } = await removeCreated(undoSession, created);
  return { ...nothingUndone, removed, used: [...usedColumns, ...used] };
}

/** Whether the import has committed its rows: it creates its tables empty. */
async function haveRows(
  { database, session }: UndoSession,
  names: readonly string[],
): Promise<boolean> {
  const { tables } = await database.introspect();
  for (const table of tables)
    if (names.includes(table.name) && !(await isEmpty(session, database, table))) return true;
  return false;
}

/** Creates the triggers and routines of an import whose rows are committed. */
async function complete({ session }: UndoSession, { complete: groups }: Completion): Promise<void> {
  for (const text of groups.flat()) await session.run({ text, params: [] });
}
