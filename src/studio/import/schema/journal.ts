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
  journalPath,
  makeJournalFolder,
  readEntries,
} from './journal-files.ts';
import { createNameLocks } from './name-locks.ts';
import { lockJournal } from './undo-journals.ts';
import { beatMs, ownerEntries } from './journal-watch.ts';
import { copyError, StudioError } from '../../../model/errors.ts';
import type { FileHandle } from 'node:fs/promises';
import type { OwnMarker } from './import-marker.ts';
import type { Created, End, JournalContext, JournalEntry } from './journal-files.ts';
import type { ScriptProgram } from '../../../model/stored-program.ts';
import type { Session } from '../../../model/database.ts';

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
  /** Deletes the journal: the import is complete, or nothing is left of it, so that others may undo what bears its names. */
  close(outcome: 'complete' | 'undone'): Promise<void>;
  /** Keeps the journal, for the studio to undo. */
  keep(): Promise<void>;
}

/**
 * A journal in the state folder, or in a temporary folder when the studio has none. The file is created with its first
 * entry, under the lock: whoever locks a journal without an owner undoes and deletes it.
 */
export async function openJournal(context: JournalContext<'ddl'>): Promise<Journal> {
  const folder = await makeJournalFolder(context);
  const name = context.journal ?? randomUUID();
  const path = journalPath(folder, name);
  let file: JournalFile | undefined;
  let heartbeat: NodeJS.Timeout | undefined;
  let isLocked = false;
  let hasCommittedRows = false;
  const createdLate: string[] = [];
  const recorded: JournalEntry[] = [];
  const nameLocks = createNameLocks(context.database, name);
  const marker = createOwnMarker(context.database, name);
  const { isTakenOver, isFileLost } = takeoverSteps(marker, () => file);
  const record = async (...entries: readonly JournalEntry[]): Promise<void> => {
    if (!isLocked) throw new Error('The journal must be locked before its first entry.');
    // Studios do not wait for an import whose process was stopped meanwhile.
    if (await isTakenOver()) throw takenOverError();
    const begins = file === undefined ? ownerEntries() : [];
    file ??= await createFile(context, path);
    heartbeat ??= startHeartbeat(path);
    await file.append(...begins, ...entries);
    recorded.push(...entries);
  };
  return {
    name,
    lock: async (session, names = []) => {
      isLocked = await lockJournal(session, context.database, { name, waitSeconds: 1 });
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
    ...markerSteps(marker, record),
    isTakenOver,
    isFileLost,
    programs: new Set(),
    rowsCommitted: async () => {
      hasCommittedRows = true;
      // Without the entry, the marker shows it.
      await file?.append({ committed: true }).catch(() => {});
    },
    canBeUndone: () => !hasCommittedRows,
    close: async (outcome) => {
      clearInterval(heartbeat);
      if (outcome === 'undone') await nameLocks.release();
      const end: End = { ended: true, ...(outcome === 'undone' ? { isUndone: true } : {}) };
      await endJournal({ file, marker, end }, () => removeFile(context, path));
      await nameLocks.unlock();
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
  file: () => JournalFile | undefined,
): Pick<Journal, 'isTakenOver' | 'isFileLost'> {
  let isLost = false;
  const isTakenOver = async (): Promise<boolean> =>
    !isLost && (await file()?.isTakenOver()) === true;
  return {
    isTakenOver,
    isFileLost: async () => {
      isLost ||= (await isTakenOver()) && (await marker.isUndecided());
      return isLost;
    },
  };
}

interface OpenFiles {
  readonly file: JournalFile | undefined;
  readonly marker: OwnMarker;
  readonly end: End;
}

async function endJournal(
  { file, marker, end }: OpenFiles,
  remove: () => Promise<void>,
): Promise<void> {
  const isRecorded = !marker.exists() || (await isWritten(file?.append(end)));
  await file?.close();
  // Without its last entry, the journal must not outlive the marker, which shows whether the rows are committed.
  if (!isRecorded) await remove();
  // Otherwise the studio drops it later.
  if (await marker.drop()) await remove();
}

function markerSteps(
  marker: OwnMarker,
  record: Journal['record'],
): Pick<Journal, 'createMarker' | 'beginRows' | 'endRows'> {
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

/** What stays of a failed import, because others have written to it. */
export interface UsedObjects {
  readonly tables: readonly string[];
  /** As `table.column`. */
  readonly columns?: readonly string[];
  /** Indexes and constraints: `index idx_users_note`. */
  readonly objects?: readonly string[];
  /** What others have created with names of the import, after they had removed its own, and what another import relies on. */
  readonly replaced?: readonly string[];
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
    await rejectTakenOver(journal);
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

/** Names tables and views that the import has created while others undid it. They stay: others may have created them too. */
async function withLateObjects(
  { database }: JournalContext<'ddl'>,
  { createdLate }: Journal,
  error: unknown,
): Promise<unknown> {
  if (createdLate.length === 0 || !(error instanceof StudioError)) return error;
  const found = await database.introspect().catch(() => undefined);
  const existing = [...(found?.tables ?? []), ...(found?.views ?? [])].map(({ name }) => name);
  const late = createdLate.filter((name) => existing.includes(name));
  if (late.length === 0) return error;
  const list = late.map((name) => JSON.stringify(name)).join(', ');
  return copyError(error, {
    message: `${error.message} Check what it was creating at that time, which stays: ${list}.`,
    details: { ...error.details, objects_left: late },
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

/** Says what stays of a failed import. */
function withUsedObjects(
  error: unknown,
  { tables, columns = [], objects = [], replaced = [] }: UsedObjects,
): unknown {
  if (!(error instanceof StudioError)) return error;
  const sentences = [
    sentenceOf(tables, 'table', 'others may have inserted rows or reference'),
    sentenceOf(columns, 'column', 'others may have written values or use'),
    objects.map((name) => `The ${name} of the import stays, because others use it.`),
    replaced.map((name) => `Others have replaced ${name} or imported it too, so it stays.`),
  ].flat();
  if (sentences.length === 0) return error;
  return copyError(error, {
    message: [error.message, ...sentences].join(' '),
    details: { ...error.details, objects_left: [...tables, ...columns, ...objects, ...replaced] },
  });
}

function sentenceOf(
  names: readonly string[],
  noun: 'table' | 'column',
  use: string,
): readonly string[] {
  if (names.length === 0) return [];
  const list = names.map((name) => JSON.stringify(name)).join(', ');
  const [subject, object] =
    names.length === 1
      ? [`The ${noun} ${list} of the import stays`, 'it']
      : [`The ${noun}s ${list} of the import stay`, 'them'];
  return [`${subject}, because ${use} ${object}.`];
}
