/**
 * Journals of imports on databases that commit every DDL statement. An object is recorded before it is
 * created, so that a failed import, or the studio after a crash, can remove it.
 */
import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { journalPath, makeJournalFolder } from './journal-files.ts';
import { lockJournal } from './undo-journals.ts';
import { StudioError } from '../../../model/errors.ts';
import type { JournalContext, JournalEntry } from './journal-files.ts';
import type { ScriptProgram } from '../../../model/stored-program.ts';
import type { Session } from '../../../model/database.ts';

export interface Journal {
  /** Locks the journal for the session. Nobody else undoes it before the session ends. */
  lock(session: Session): Promise<void>;
  /** A table or view by its name, or another entry. Returns when it is on disk. */
  record(entry: JournalEntry): Promise<void>;
  /** The triggers and routines that exist because of the import. Another import may have created others of the same names. */
  readonly programs: Set<ScriptProgram>;
  /** Deletes the journal: nothing is left to undo. */
  close(): Promise<void>;
  /** Keeps the journal, for the studio to undo. */
  keep(): Promise<void>;
}

/** Creates the journal in the state folder, or in a temporary folder when the studio has none. */
export async function openJournal(context: JournalContext<'ddl'>): Promise<Journal> {
  const folder = await makeJournalFolder(context);
  const name = context.journal ?? randomUUID();
  const path = journalPath(folder, name);
  const file = await open(path, 'ax', 0o600);
  return {
    lock: async (session) => {
      await lockJournal(session, context.database, name);
    },
    record: async (entry) => {
      await file.write(`${JSON.stringify(entry)}\n`);
      await file.datasync();
    },
    programs: new Set(),
    close: async () => {
      await file.close();
      await rm(path, { force: true });
    },
    keep: () => file.close(),
  };
}

/**
 * Runs the work under a journal, and undoes it when it fails. The journal stays for the studio when
 * the undo fails too, or when the connection was lost and the last statement may still be running.
 */
export async function withJournal<T>(
  context: JournalContext<'ddl'>,
  work: (journal: Journal) => Promise<T>,
  undo: (journal: Journal) => Promise<void>,
): Promise<T> {
  const journal = await openJournal(context);
  try {
    const result = await work(journal);
    await journal.close();
    return result;
  } catch (error) {
    const isUndone =
      !isUncertain(error) &&
      (await undo(journal).then(
        () => true,
        () => false,
      ));
    if (isUndone) context.onPhase?.('undone');
    await (isUndone ? journal.close() : journal.keep());
    throw error;
  }
}

function isUncertain(error: unknown): boolean {
  return error instanceof StudioError && error.code === 'database_unavailable';
}
