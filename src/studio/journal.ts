/**
 * What an import has made where every statement commits at once, written down before it is made. A
 * failure undoes it from there, and so does the studio after a crash.
 */
import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { journalPath, makeJournalFolder } from './journal-files.ts';
import { holdJournal } from './undo-journals.ts';
import { StudioError } from '../model/errors.ts';
import type { Addition, JournalPlace } from './journal-files.ts';
import type { Session } from '../model/database.ts';

export interface Journal {
  /** Marks the session's journal as being written: until its end nobody else undoes it. */
  hold(session: Session): Promise<void>;
  /** A table or view by its name. Returns when it is on disk. */
  note(entry: string | Addition): Promise<void>;
  /** What was noted is not to be undone any more. */
  close(): Promise<void>;
  /** What was noted is still to be undone. */
  leave(): Promise<void>;
}

/** In the state folder, or in a temporary one where the studio has none. */
export async function openJournal(place: JournalPlace): Promise<Journal> {
  const folder = await makeJournalFolder(place);
  const name = place.journal ?? randomUUID();
  const path = journalPath(folder, name);
  const file = await open(path, 'ax', 0o600);
  return {
    hold: async (session) => {
      await holdJournal(session, place.database, name);
    },
    note: async (entry) => {
      await file.write(`${JSON.stringify(entry)}\n`);
      await file.datasync();
    },
    close: async () => {
      await file.close();
      await rm(path, { force: true });
    },
    leave: () => file.close(),
  };
}

/**
 * Does what the journal is of. When it fails it is undone at once. Where that fails too, or where
 * the connection broke and the last statement may still be running, the journal stays for the
 * studio to undo.
 */
export async function withJournal<T>(
  place: JournalPlace,
  work: (journal: Journal) => Promise<T>,
  undo: () => Promise<void>,
): Promise<T> {
  const journal = await openJournal(place);
  try {
    const result = await work(journal);
    await journal.close();
    return result;
  } catch (error) {
    const isUndone =
      !isUncertain(error) &&
      (await undo().then(
        () => true,
        () => false,
      ));
    await (isUndone ? journal.close() : journal.leave());
    throw error;
  }
}

function isUncertain(error: unknown): boolean {
  return error instanceof StudioError && error.code === 'database_unavailable';
}
