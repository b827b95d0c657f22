/**
 * Journals of imports on databases that commit every DDL statement. An object is recorded before it is
 * created, so that a failed import, or the studio after a crash, can remove it.
 */
import { randomUUID } from 'node:crypto';
import { open, rm, stat, utimes } from 'node:fs/promises';
import { createOwnMarker } from './import-marker.ts';
import {
  folderUnavailable,
  hasEnded,
  isTakeover,
  journalPath,
  makeJournalFolder,
  readEntries,
} from './journal-files.ts';
import { createNameLocks } from './name-locks.ts';
import { lockJournal } from './undo-journals.ts';
import { findExisting } from './unconfirmed.ts';
import { withUsedObjects } from './used-objects.ts';
import { beatMs, ownerEntries } from './journal-watch.ts';
import { copyError, StudioError } from '../../../model/errors.ts';
import type { FileHandle } from 'node:fs/promises';
import type { UsedObjects } from './used-objects.ts';
import type { OwnMarker } from './import-marker.ts';
import type { Created, End, JournalContext, JournalEntry } from './journal-files.ts';
import type { ScriptProgram } from '../../../model/stored-program.ts';
import type { Session } from '../../../model/database.ts';

type Outcome = 'complete' | 'undone';

export interface Journal {
  readonly name: string;
  /**
   * Locks the journal for the session, and the names of what the import creates, changes or needs. While the session
   * lasts, other imports and studios do not undo it. Fails if one of them does or has done so, because an earlier session
   * was lost, or if another import has locked one of the names. What bears the names stays when others are undone.
   */
  lock(session: Session, names?: readonly string[]): Promise<void>;
  /** Tables and views by their names, or other entries. The journal must be locked. Returns when they are on disk. */
  record(...entries: readonly JournalEntry[]): Promise<void>;
  /** Confirms that what has been recorded with `creating` exists. */
  confirm(creating: string, definition?: Created['definition']): Promise<void>;
  /** What has been recorded and confirmed. */
  readonly entries: readonly JournalEntry[];
  /** What has been confirmed since others have undone the import, who may not have seen it. */
  readonly createdLate: readonly string[];
  /** Creates the table with which the transaction of the rows proves its commit, if the user may. The journal must be locked. */
  createMarker(session: Session): Promise<void>;
  /** First in the transaction of the rows. Fails if another import or studio has undone this one. */
  beginRows(session: Session): Promise<void>;
  /** Last in the transaction of the rows. Without rows, a failure still undoes the import. */
  endRows(session: Session, hasRows: boolean): Promise<void>;
  /** Whether another import or studio has undone or completed it, as far as its file shows. */
  isTakenOver(): Promise<boolean>;
  /** Whether the file is gone or changed although, as the marker shows, nobody has undone the import. It then no longer counts. */
  isFileLost(): Promise<boolean>;
  /** The triggers and routines that exist because of the import. Another import may have created others of the same names. */
  readonly programs: Set<ScriptProgram>;
  /** Records that rows are committed. Others may have changed them since, so a failure no longer undoes the import. */
  rowsCommitted(): Promise<void>;
  /** Whether a failure undoes the import. */
  canBeUndone(): boolean;
  /** Decides that the import is complete. Fails if others have begun to undo it. */
  decide(): Promise<void>;
  /** Deletes the journal: the import is complete, or nothing is left of it, so that others may undo what bears its names. */
  close(outcome: Outcome): Promise<void>;
  /** Keeps the journal, for the studio to undo. */
  keep(): Promise<void>;
}

/**
 * A journal in the state folder, or in a temporary folder when the studio has none. The file is created with its first
 * entry, under the lock: whoever locks a journal without an owner undoes and deletes it.
 */
export async function openJournal(context: JournalContext<'ddl'>): Promise<Journal> {
  const folder = await makeJournalFolder(context);
  const { database, journal: name = randomUUID() } = context;
  const path = journalPath(folder, name);
  let file: JournalFile | undefined;
  let heartbeat: NodeJS.Timeout | undefined;
  let isLocked = false;
  const createdLate: string[] = [];
  const recorded: JournalEntry[] = [];
  const nameLocks = createNameLocks(database, name);
  const marker = createOwnMarker(database, name);
  const { isTakenOver, isFileLost } = takeoverSteps(marker, path, () => file);
  const record = async (...entries: readonly JournalEntry[]): Promise<void> => {
    if (!isLocked) throw new Error('The journal must be locked before its first entry.');
    // Studios do not wait for an import whose process was stopped meanwhile.
    if (await isTakenOver()) throw takenOverError();
    file ??= await createFile(context, path);
    heartbeat ??= startHeartbeat(path);
    await file.append(...entries);
    recorded.push(...entries);
  };
  return {
    name,
    lock: async (session, names = []) => {
      isLocked = await lockJournal(session, database, { name, waitSeconds: 1 });
      if (!isLocked || (await isTakenOver())) throw takenOverError();
      await nameLocks.lock(session, names);
    },
    record,
    confirm: async (created, definition) => {
      await file?.write({ created, definition });
      recorded.push({ created, definition });
      if (await isTakenOver()) createdLate.push(created);
    },
    entries: recorded,
    createdLate,
    ...commitSteps({ marker, record, isTakenOver, file: () => file }),
    isTakenOver,
    isFileLost,
    programs: new Set(),
    close: async (outcome) => {
      clearInterval(heartbeat);
      await endJournal({ file, marker, outcome }, () => removeFile(context, path));
      await nameLocks.unlock(outcome);
    },
    keep: async () => {
      clearInterval(heartbeat);
      // Whoever has undone the import may not have seen the marker.
      if (await isTakenOver()) await marker.drop();
      await file?.close();
    },
  };
}

function takeoverSteps(
  marker: OwnMarker,
  path: string,
  file: () => JournalFile | undefined,
): Pick<Journal, 'isTakenOver' | 'isFileLost'> {
  let isLost = false;
  const isTakenOver = async (): Promise<boolean> =>
    !isLost && (await file()?.isTakenOver()) === true;
  return {
    isTakenOver,
    isFileLost: async () => {
      const entries = (await isTakenOver()) ? await readEntries(path).catch(() => undefined) : [];
      // Whoever undoes the import says so in the file before its marker shows it.
      const isUndone = entries?.some(isTakeover);
      isLost ||= (await isTakenOver()) && isUndone !== true && (await marker.isUndecided());
      return isLost;
    },
  };
}

interface OpenFiles {
  readonly file: JournalFile | undefined;
  readonly marker: OwnMarker;
  readonly outcome: Outcome;
}

async function endJournal(
  { file, marker, outcome }: OpenFiles,
  remove: () => Promise<void>,
): Promise<void> {
  const end: End = { ended: true, ...(outcome === 'undone' ? { isUndone: true } : {}) };
  const isRecorded = !marker.exists() || (await isWritten(file?.append(end)));
  await file?.close();
  // Without its last entry, the journal must not outlive the marker, which shows whether the rows are committed.
  if (!isRecorded) await remove();
  // Otherwise the studio drops it later.
  if (await marker.drop()) await remove();
}

interface CommitContext extends Pick<Journal, 'record' | 'isTakenOver'> {
  readonly marker: OwnMarker;
  readonly file: () => JournalFile | undefined;
}

type CommitStep =
  | 'createMarker'
  | 'beginRows'
  | 'endRows'
  | 'rowsCommitted'
  | 'canBeUndone'
  | 'decide';

function commitSteps({
  marker,
  record,
  isTakenOver,
  file,
}: CommitContext): Pick<Journal, CommitStep> {
  let hasCommittedRows = false;
  return {
    createMarker: async (session) => {
      await record({ hasMarker: true });
      await marker.create(session);
    },
    beginRows: async (session) => {
      if (!(await marker.commit(session))) throw takenOverError();
    },
    endRows: async (session, hasRows) => {
      if (!hasRows) await marker.withdraw(session);
    },
    rowsCommitted: async () => {
      hasCommittedRows = true;
      // Without the entry, the marker shows it.
      await file()
        ?.append({ committed: true })
        .catch(() => {});
    },
    canBeUndone: () => !hasCommittedRows,
    decide: async () => {
      if (hasCommittedRows) return;
      if ((await isTakenOver()) || !(await marker.commitAlone())) throw takenOverError();
    },
  };
}

interface JournalFile {
  /** Returns when the entries are on disk. */
  append(...entries: readonly JournalEntry[]): Promise<void>;
  /** Not forced to the disk: the entry helps if the process is killed, which the system outlives. */
  write(entry: JournalEntry): Promise<void>;
  /** Whether others have deleted the file or, while they cannot drop the marker, added an entry. */
  isTakenOver(): Promise<boolean>;
  close(): Promise<void>;
}

async function createFile(context: JournalContext, path: string): Promise<JournalFile> {
  const handle = await openNew(path).catch((error: unknown) => {
    throw folderUnavailable(context, error);
  });
  let size = 0;
  const write = async (added: readonly JournalEntry[], isForced: boolean): Promise<void> => {
    const text = added.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    try {
      // Unlike `write`, which returns after the part for which the disk had space.
      await handle.appendFile(text);
      if (isForced) await handle.datasync();
      size += Buffer.byteLength(text);
    } catch (error) {
      // Half a line would hide the next one, and a file of another size looks like one that others have changed.
      await handle.truncate(size).catch(() => {});
      size = (await handle.stat()).size;
      throw folderUnavailable(context, error);
    }
  };
  try {
    // The entries that follow force it to the disk.
    await write(ownerEntries(), false);
  } catch (error) {
    await handle.close();
    throw error;
  }
  return {
    append: (...added) => write(added, true),
    write: (entry) => write([entry], false),
    isTakenOver: async () => (await sizeOf(path)) !== size,
    close: () => handle.close(),
  };
}

async function openNew(path: string): Promise<FileHandle> {
  const entries = await readEntries(path);
  // That of an earlier attempt of the same import may remain because of its marker.
  if (entries !== undefined && hasEnded(entries)) await rm(path);
  return open(path, 'ax', 0o600);
}

async function removeFile(context: JournalContext, path: string): Promise<void> {
  await rm(path, { force: true }).catch((error: unknown) => {
    throw folderUnavailable(context, error);
  });
}

/** False if the entry could not be written, or there is no file. */
async function isWritten(writing: Promise<void> | undefined): Promise<boolean> {
  return (
    (await writing?.then(
      () => true,
      () => false,
    )) === true
  );
}

/** Undefined for a file that does not exist. */
async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Changes the time of the file, for studios that ask while no session holds the lock, or that cannot see it. */
function startHeartbeat(path: string): NodeJS.Timeout {
  const beat = (): void => {
    const now = new Date();
    utimes(path, now, now).catch(() => {});
  };
  return setInterval(beat, beatMs).unref();
}

class TakenOver extends StudioError {}

function takenOverError(): StudioError {
  return new TakenOver(
    'database_unavailable',
    'The import lost its connection to the database or gave no sign of life, and another import or studio undoes it.',
  );
}

/** Somebody has cleared or replaced the state folder. */
function fileLostError(context: JournalContext): StudioError {
  return folderUnavailable(context, 'the journal of the import was removed or changed meanwhile');
}

/** Undoes an import that failed. */
type Undo = (journal: Journal) => Promise<UsedObjects>;

/**
 * Runs the work under a journal, and undoes it when it fails. The journal stays for the studio when
 * the undo fails too, when the connection was lost and the last statement may still be running, or when the rows are
 * committed.
 */
export async function withJournal<T>(
  context: JournalContext<'ddl'>,
  work: (journal: Journal) => Promise<T>,
  undo: Undo,
): Promise<T> {
  const journal = await openJournal(context);
  try {
    const result = await work(journal);
    await journal.decide();
    await journal.close('complete');
    return result;
  } catch (cause) {
    const isFileLost = cause instanceof TakenOver && (await journal.isFileLost());
    const error = isFileLost ? fileLostError(context) : cause;
    const used =
      mayStillRun(error) || !journal.canBeUndone()
        ? undefined
        : await undoUnlessTakenOver(journal, undo).catch(() => undefined);
    if (used === undefined) {
      await journal.keep();
      throw await withLateObjects(context, journal, error);
    }
    context.onPhase?.('undone');
    await journal.close('undone');
    throw withUsedObjects(error, used);
  }
}

/** Names what the import has created while others undid it. It stays: others may have created it too. */
async function withLateObjects(
  { database }: JournalContext<'ddl'>,
  { createdLate: keys, entries }: Journal,
  error: unknown,
): Promise<unknown> {
  if (keys.length === 0 || !(error instanceof StudioError)) return error;
  const late = await database
    .runOutsideTransaction((session) => findExisting({ database, session }, { entries, keys }))
    .catch(() => []);
  if (late.length === 0) return error;
  const list = late.map((name) => JSON.stringify(name)).join(', ');
  return copyError(error, {
    message: `${error.message} Check what it was creating at that time, which may have stayed: ${list}.`,
    details: { ...error.details, objects_left: late, outcome: 'unknown' },
  });
}

/** Fails if others have undone the import meanwhile. Committed rows are not undone. */
export async function rejectTakenOver(journal: Journal): Promise<void> {
  if (journal.canBeUndone() && (await journal.isTakenOver())) throw takenOverError();
}

/** Others may have created tables of the same names since the journal was undone. */
async function undoUnlessTakenOver(journal: Journal, undo: Undo): Promise<UsedObjects> {
  return (await journal.isTakenOver()) ? { tables: [] } : undo(journal);
}

/** Whether the connection was lost, so that the server may not have ended the last statement. */
function mayStillRun(error: unknown): boolean {
  return error instanceof StudioError && error.code === 'database_unavailable';
}
