/** Undoes interrupted imports, at the start and while the studio runs. */
import { setTimeout as sleep } from 'node:timers/promises';
import { withStudioErrors } from '../core/with-studio-errors.ts';
import { undoJournal, undoJournals } from '../import/schema/undo-journals.ts';
import type { JournalContext } from '../import/schema/journal-files.ts';
import type { RecoveryResult } from './executor.ts';
import type { UndoOutcome } from '../import/schema/undo-journals.ts';

export interface Recovery {
  /** Undoes the import with that journal. */
  recover(journal: string): Promise<RecoveryResult>;
  /** Stops retrying. The next start undoes the rest. */
  close(): void;
}

/** Long enough in total for a server to restart. */
const retryDelaysMs = [1000, 2000, 5000, 10_000, 30_000];
/** The first round that is over a minute after the first one. */
const reportRound = retryDelaysMs.length + 1;
/** Attempts to undo a killed import while its client waits. */
const maxAttempts = 5;

/** Undoes all journals. What cannot be undone yet is retried until the studio closes. */
export async function startRecovery(
  context: Omit<JournalContext, 'journal'>,
  onSentence: (sentence: string) => void = () => undefined,
): Promise<Recovery> {
  const journalContext = { ...context, database: withStudioErrors(context.database) };
  const closing = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  const retryLater = (round: number): void => {
    if (closing.signal.aborted) return;
    clearTimeout(timer);
    timer = setTimeout(() => void undoAll(round + 1), retryDelaysMs[round] ?? 60_000).unref();
  };
  const undoAll = async (round: number): Promise<void> => {
    const undone = await undoJournals(journalContext, closing.signal).catch(() => undefined);
    if (undone !== undefined)
      for (const sentence of sentencesOf(undone, round)) onSentence(sentence);
    if (undone !== undefined && undone.pending.length > 0) retryLater(round);
  };

  await undoAll(0);
  return {
    recover: async (journal) => {
      const undone = await undoSoon(journalContext, journal);
      for (const sentence of sentencesForLog(undone)) onSentence(sentence);
      if (undone === undefined || undone.completed.length > 0)
        return { isUndone: false, objectsLeft: [], objectsInDoubt: [] };
      if (undone.pending.length > 0) retryLater(0);
      const objectsLeft = [...undone.pending, ...undone.used];
      return { isUndone: true, objectsLeft, objectsInDoubt: undone.doubtful };
    },
    close: () => {
      closing.abort();
      clearTimeout(timer);
    },
  };
}

async function undoSoon(
  context: JournalContext,
  journal: string,
): Promise<UndoOutcome | undefined> {
  for (let attempt = 1; ; attempt++) {
    const undone = await undoJournal(context, journal);
    if (undone === undefined || undone.pending.length === 0 || attempt === maxAttempts)
      return undone;
    await sleep(100);
  }
}

/** What no response says: what is left out of imports that are completed, and damaged journals. */
export function sentencesForLog(undone: UndoOutcome | undefined): readonly string[] {
  const { leftOut = [], damaged = [] } = undone ?? {};
  return [
    ...leftOut.map((sentence) => `An interrupted import is completed without this: ${sentence}`),
    ...damaged.map(damagedSentence),
  ];
}

function sentencesOf(undone: UndoOutcome, round: number): readonly string[] {
  const { removed, used, doubtful, pending, failures, completed, unknown } = undone;
  const sentences: string[] = [];
  if (removed.length > 0)
    sentences.push(`Undid an interrupted import; removed: ${removed.join(', ')}.`);
  if (completed.length > 0)
    sentences.push(
      `Completed an interrupted import, whose rows had been committed: ${completed.join(', ')}.`,
    );
  sentences.push(...sentencesForLog(undone));
  if (used.length > 0)
    sentences.push(
      `What an interrupted import created was not removed where others may have written to it or use it: ${used.join(', ')}.`,
    );
  if (doubtful.length > 0)
    sentences.push(
      `What others may have created with names of an interrupted import was not removed: ${doubtful.join(', ')}.`,
    );
  if (unknown.length > 0 && round === 0)
    sentences.push(
      `The database has ${unknown.join(', ')}, of an import that runs at another studio or was interrupted. If it was interrupted, a studio that is started with the same URL and state folder as that one removes what it has created.`,
    );
  if (pending.length > 0 && round === 0)
    sentences.push(
      `An import has not ended that created: ${pending.join(', ')}. If it was interrupted, the studio removes what it created.`,
    );
  if (pending.length > 0 && round === reportRound)
    sentences.push(
      `An import that created ${pending.join(', ')} is not undone after a minute, and is retried every minute. ${reasonOf(failures)}`,
    );
  return sentences;
}

/** `path` is that of the journal that was put aside. */
function damagedSentence(path: string): string {
  return `The journal of an interrupted import was damaged. What could be read of it was undone; the file is now ${path}. Check the database for what the import created, and remove the file.`;
}

function reasonOf(failures: readonly string[]): string {
  return failures.length === 0
    ? 'It runs, or its session has not ended.'
    : `The last error: ${[...new Set(failures)].join(' ')}`;
}
