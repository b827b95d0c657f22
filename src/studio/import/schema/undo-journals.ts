/** Undoes interrupted imports on databases that commit every DDL statement. */
import { constants } from 'node:fs';
import { appendFile, open, rm } from 'node:fs/promises';
import { dropMarker, isCommittedByMarker } from './import-marker.ts';
import {
  findJournalFolder,
  hasEnded,
  isComplete,
  isTakeover,
  journalPath,
  journalsIn,
  putAsideIfDamaged,
  readEntries,
} from './journal-files.ts';
import { findSilent, hasOwnerEnded } from './journal-watch.ts';
import { completeImport } from './complete-import.ts';
import { openTables, removeCreated, valueOf } from './remove-created.ts';
import { releaseNames } from './retained-names.ts';
import { findDoubtful } from './unconfirmed.ts';
import { nameOf, undoAdditions } from './undo-additions.ts';
import { changedNames, lockNames, unlockNames } from './running-imports.ts';
import type { UndoSession } from './remove-created.ts';
import type { Addition, End, JournalContext, JournalEntry, Takeover } from './journal-files.ts';
import type { Database, Session } from '../../../model/database.ts';

/** The outcome of undoing journals. */
export interface UndoOutcome {
  /** Tables, views and what was added to tables that were removed. */
  readonly removed: readonly string[];
  /** Tables, and columns as `table.column`, that stay because rows have been written to them since. */
  readonly used: readonly string[];
  /** Objects that may be those of others, because the import had not confirmed that it has created them. */
  readonly doubtful: readonly string[];
  /** Objects that may still exist: a running import holds its journal, or the database failed. */
  readonly pending: readonly string[];
  /** Errors that kept pending objects from being undone. */
  readonly failures: readonly string[];
  /** Tables and views of imports that had committed their rows, and whose triggers and routines now exist. */
  readonly completed: readonly string[];
  /** A sentence for each statement, trigger and routine of these imports that the database rejects. */
  readonly leftOut: readonly string[];
  /** The paths of damaged journals that were put aside after what could be read had been undone. */
  readonly damaged: readonly string[];
  /** The markers of imports that have no journal here: they run, or were interrupted, at a studio with another URL or folder. */
  readonly unknown: readonly string[];
}

const nothingUndone: UndoOutcome = {
  removed: [],
  used: [],
  doubtful: [],
  pending: [],
  failures: [],
  completed: [],
  leftOut: [],
  damaged: [],
  unknown: [],
};

/**
 * Undoes all journals of this database. Where no session holds the lock, it waits some seconds for signs of life of the
 * import, unless its process has certainly ended. That of a running import is pending. When the signal aborts, those
 * for which it still waits are pending.
 */
export async function undoJournals(
  context: JournalContext,
  signal?: AbortSignal,
): Promise<UndoOutcome> {
  if (!isJournaled(context)) return nothingUndone;
  const folder = await findJournalFolder(context);
  const names = folder === undefined ? [] : await journalsIn(folder);
  const unknown = await findUnknownMarkers(context.database, names).catch(() => []);
  if (folder === undefined) return { ...nothingUndone, unknown };
  const unlocked: string[] = [];
  for (const name of names)
    if (await isUnlocked(context.database, name)) unlocked.push(journalPath(folder, name));
  const ended = await endedOwners(context.database, unlocked);
  const others = unlocked.filter((path) => !ended.has(path));
  const silent = new Set([...ended, ...(await findSilent(others, signal))]);
  let all: UndoOutcome = { ...nothingUndone, unknown };
  for (const name of names) {
    const path = journalPath(folder, name);
    const undone = silent.has(path)
      ? await undoOne(context, path, { name, waitSeconds: 0 })
      : await pendingIn(path);
    all = {
      removed: [...all.removed, ...undone.removed],
      used: [...all.used, ...undone.used],
      doubtful: [...all.doubtful, ...undone.doubtful],
      pending: [...all.pending, ...undone.pending],
      failures: [...all.failures, ...undone.failures],
      completed: [...all.completed, ...undone.completed],
      leftOut: [...all.leftOut, ...undone.leftOut],
      damaged: [...all.damaged, ...undone.damaged],
      unknown,
    };
  }
  return all;
}

async function findUnknownMarkers(
  database: Database<'ddl'>,
  journals: readonly string[],
): Promise<readonly string[]> {
  const { ddlUndo } = database.dialect.ddl;
  if (ddlUndo === undefined) return [];
  const { rows } = await database.run({ text: ddlUndo.findMarkers, params: [] });
  const known = new Set(journals.map((name) => ddlUndo.markerName(name)));
  return rows.map(([name]) => String(name)).filter((name) => !known.has(name));
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
  const path = journalPath(folder, name);
  const entries = (await readEntries(path).catch(() => undefined)) ?? [];
  const undone = await undoOne(context, path, { name, waitSeconds: 1 });
  return isComplete(entries) ? undefined : undone;
}

/** Only databases that commit every DDL statement have journals. */
function isJournaled(context: JournalContext): context is JournalContext<'ddl'> {
  const { dialect } = context.database;
  return !context.target.readOnly && dialect.ddl?.ddlUndo !== undefined;
}

/** True if the database fails: the undo then reports why. An unlocked journal may be that of a running import, between two of its sessions. */
async function isUnlocked(database: Database<'ddl'>, name: string): Promise<boolean> {
  const { ddlUndo } = database.dialect.ddl;
  if (ddlUndo === undefined) return false;
  const holder = await valueOf(database, ddlUndo.lockHolder(name)).catch(() => 'null');
  return holder === 'null';
}

/** At another server of a cluster, the last statement of a process that has ended may still run. */
async function endedOwners(
  { dialect }: Database<'ddl'>,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  const ended = new Set<string>();
  if (dialect.ddl.ddlUndo?.canLockNames !== true) return ended;
  for (const path of paths)
    if (hasOwnerEnded((await readEntries(path).catch(() => undefined)) ?? [])) ended.add(path);
  return ended;
}

async function undoOne(
  context: JournalContext<'ddl'>,
  path: string,
  request: LockRequest,
): Promise<UndoOutcome> {
  const { database } = context;
  try {
    return await database.runOutsideTransaction(async (session) => {
      // The server may still run the last statement of a process that has ended.
      const isHeld = await lockJournal(session, database, request);
      // The previous holder of the lock may have undone the journal, so read it under the lock.
      const entries = await readEntries(path);
      if (entries === undefined) return nothingUndone;
      if (!isHeld) return pendingOf(entries);
      const names = changedNames(entries);
      try {
        // The tables of these names may be those of another import.
        if ((await lockNames(session, database, names)) !== undefined) return pendingOf(entries);
        if (!entries.some(isTakeover)) await takeOver(path);
        // The import may have recorded more, or have ended, until then.
        const all = await readEntries(path);
        if (all === undefined) return nothingUndone;
        const undone = await undoEntries({ database, session }, all, request.name);
        const damaged = await putAsideIfDamaged(path);
        const isUndone = !isComplete(all) && undone.completed.length === 0;
        const ended = { path, name: request.name, entries: all, isUndone };
        await endJournal({ database, session }, ended);
        return damaged === undefined ? undone : { ...undone, damaged: [damaged] };
      } finally {
        await unlockNames(session, database, names);
      }
    });
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    return { ...(await pendingIn(path)), failures: [failure] };
  }
}

/** Shows the import, whose process may only have been stopped, that it is undone. Creates no file. */
async function takeOver(path: string): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_APPEND;
  const handle = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  try {
    // On a line of its own, even after half a line.
    await handle?.appendFile(`\n${JSON.stringify({ takenOver: true } satisfies Takeover)}\n`);
    await handle?.datasync();
  } finally {
    await handle?.close();
  }
}

async function pendingIn(path: string): Promise<UndoOutcome> {
  return pendingOf((await readEntries(path).catch(() => undefined)) ?? []);
}

/** Not what the import has undone itself. */
function pendingOf(entries: readonly JournalEntry[]): UndoOutcome {
  const additions = new Set<JournalEntry>(additionsIn(entries));
  return {
    ...nothingUndone,
    pending: (hasEnded(entries) ? [] : entries).flatMap((entry) => {
      if (typeof entry === 'string') return entry;
      return isAddition(entry) && additions.has(entry) ? nameOf(entry) : [];
    }),
  };
}

function isAddition(entry: JournalEntry): entry is Addition {
  return typeof entry === 'object' && 'undo' in entry;
}

/** Those that the import has not undone itself. */
function additionsIn(entries: readonly JournalEntry[]): readonly Addition[] {
  const last = new Map(entries.filter(isAddition).map((addition) => [addition.undo, addition]));
  return [...last.values()].filter(({ isReverted }) => isReverted !== true);
}

function isCommit(entry: JournalEntry): boolean {
  return typeof entry === 'object' && 'committed' in entry;
}

function isMarkerEntry(entry: JournalEntry): boolean {
  return typeof entry === 'object' && 'hasMarker' in entry;
}

interface LockRequest {
  /** The name of the journal. */
  readonly name: string;
  readonly waitSeconds: 0 | 1;
}

/** Locks the journal for the session. False if another session holds the lock. */
export async function lockJournal(
  session: Session,
  { dialect }: Database<'ddl'>,
  { name, waitSeconds }: LockRequest,
): Promise<boolean> {
  const text = dialect.ddl.ddlUndo?.acquireLock(name, waitSeconds);
  return text !== undefined && (await valueOf(session, text)) === '1';
}

/** A server finishes the statement of a killed process, and keeps its lock until then. */
async function endLockHolder(database: Database<'ddl'>, name: string): Promise<void> {
  const { ddlUndo } = database.dialect.ddl;
  if (ddlUndo === undefined) return;
  const holder = await valueOf(database, ddlUndo.lockHolder(name));
  if (holder !== 'null') await database.run({ text: ddlUndo.endSession(holder), params: [] });
}

interface EndedJournal {
  readonly path: string;
  readonly name: string;
  readonly entries: readonly JournalEntry[];
  readonly isUndone: boolean;
}

/** Deletes the journal. While its marker cannot be dropped, it stays, and nothing else is left of the import. */
async function endJournal(
  undoSession: UndoSession,
  { path, name, entries, isUndone }: EndedJournal,
): Promise<void> {
  if (entries.some(isMarkerEntry)) {
    // On a line of its own, even after half a line.
    const end: End = { ended: true, ...(isUndone ? { isUndone } : {}) };
    await appendFile(path, `\n${JSON.stringify(end)}\n`);
    if (!(await dropMarker(undoSession, name))) return;
  }
  await rm(path, { force: true });
}

/** Completes the import if its rows are committed. An import without rows is undone. */
async function undoEntries(
  undoSession: UndoSession,
  entries: readonly JournalEntry[],
  name: string,
): Promise<UndoOutcome> {
  if (hasEnded(entries)) return nothingUndone;
  const created = entries.filter((entry) => typeof entry === 'string');
  const isCommitted =
    entries.some(isCommit) ||
    (entries.some(isMarkerEntry) && (await isCommittedByMarker(undoSession, name)));
  if (isCommitted) {
    const leftOut = await completeImport(undoSession, entries);
    return { ...nothingUndone, completed: created, leftOut };
  }
  const doubtful = await findDoubtful(undoSession, { name, entries });
  const isOwn = (key: string): boolean => !doubtful.keys.has(key);
  const additions = additionsIn(entries).filter(({ undo }) => isOwn(undo));
  const added = await undoAdditions(undoSession, additions);
  const { removed, used } = await removeCreated(undoSession, created.filter(isOwn));
  await openTables(
    undoSession,
    created.filter((key) => !isOwn(key)),
  );
  await releaseNames(undoSession, name);
  return {
    ...nothingUndone,
    removed: [...added.removed, ...removed],
    used: [...added.used, ...used],
    doubtful: doubtful.names,
  };
}
