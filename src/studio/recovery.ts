/** Undoes what imports left that were cut off, at the start and while the studio runs. */
import { setTimeout as sleep } from 'node:timers/promises';
import { tellingDatabase } from './telling-database.ts';
import { undoJournal, undoJournals } from './undo-journals.ts';
import type { JournalPlace } from './journal-files.ts';
import type { Recovered } from './executor.ts';
import type { Undone } from './undo-journals.ts';

export interface Recovery {
  /** Undoes the import of that journal. */
  recover(journal: string): Promise<Recovered>;
  /** Ends the attempts; what is left is for the next start. */
  close(): void;
}

/** A server that restarts is back by the later ones. */
const retryDelaysMs = [1000, 2000, 5000, 10_000, 30_000];
/** How often the undoing of a killed import is tried while its client waits. */
const attempts = 5;

/** Undoes what is left now. What cannot be undone yet is tried again until the studio closes. */
export async function startRecovery(
  place: Omit<JournalPlace, 'journal'>,
  report: (sentence: string) => void = () => undefined,
): Promise<Recovery> {
  const telling = { ...place, database: tellingDatabase(place.database) };
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const retryLater = (round: number): void => {
    if (isClosed) return;
    clearTimeout(timer);
    timer = setTimeout(() => void undoAll(round + 1), retryDelaysMs[round] ?? 60_000).unref();
  };
  const undoAll = async (round: number): Promise<void> => {
    const undone = await undoJournals(telling).catch(() => undefined);
    if (undone !== undefined) for (const sentence of sentencesOf(undone, round)) report(sentence);
    if (undone !== undefined && undone.pending.length > 0) retryLater(round);
  };

  await undoAll(0);
  return {
    recover: async (journal) => {
      const undone = await undoSoon(telling, journal);
      if (undone === undefined) return { isUndone: false, left: [] };
      if (undone.pending.length > 0) retryLater(0);
      return { isUndone: true, left: [...undone.pending, ...undone.used] };
    },
    close: () => {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

async function undoSoon(place: JournalPlace, journal: string): Promise<Undone | undefined> {
  for (let attempt = 1; ; attempt++) {
    const undone = await undoJournal(place, journal);
    if (undone === undefined || undone.pending.length === 0 || attempt === attempts) return undone;
    await sleep(100);
  }
}

function sentencesOf({ removed, used, pending }: Undone, round: number): readonly string[] {
  const sentences: string[] = [];
  if (removed.length > 0)
    sentences.push(`An import that was cut off is undone; removed: ${removed.join(', ')}.`);
  if (used.length > 0)
    sentences.push(
      `An import that was cut off made ${used.join(', ')}; these hold rows by now and are left as they are.`,
    );
  if (pending.length > 0 && round === 0)
    sentences.push(
      `An import is still running or was cut off; it made ${pending.join(', ')}. They are removed when it has ended without success.`,
    );
  return sentences;
}
