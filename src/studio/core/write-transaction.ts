import { setTimeout as sleep } from 'node:timers/promises';
import {
  copyError,
  isInterruption,
  nothingWritten,
  StudioError,
  withOutcomeDetail,
  writeOutcomeOf,
} from '../../model/errors.ts';
import type { WriteOutcome } from '../../model/errors.ts';

type Transact<T, S> = (work: (session: S) => Promise<T>) => Promise<T>;

/**
 * Runs one transaction that writes. If the connection is lost, the error states the outcome: before the
 * commit nothing was written, during the commit the outcome is unknown. `transact` runs its argument in a
 * transaction and commits it. Before it has begun, the error is unchanged, because an earlier transaction
 * of the same work may have written, unless this one is the `only` one.
 */
export async function writeTransaction<T, S>(
  transact: Transact<T, S>,
  work: (session: S) => Promise<T>,
  extent: 'part' | 'only' = 'part',
): Promise<T> {
  let statesOutcome = extent === 'only';
  let isCommitting = false;
  try {
    return await transact(async (session) => {
      statesOutcome = true;
      const result = await work(session);
      isCommitting = true;
      return result;
    });
  } catch (error) {
    throw statesOutcome
      ? withStatedOutcome(error, isCommitting ? 'unknown' : 'nothing_written')
      : error;
  }
}

/** The transactions that a conflict ended are likely to meet again if both start at once. */
const pauseMs = 20;
const maxAttempts = 4;

/**
 * Runs the only transaction of some work, and repeats it if the database has rolled it back because of
 * another one (deadlock, serialization failure, certification failure of a cluster). The work must do
 * nothing outside of its transaction. It reads its rows again, so that `If-Match` is compared anew.
 */
export async function repeatableTransaction<T, S>(
  transact: Transact<T, S>,
  work: (session: S) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await writeTransaction(transact, work, 'only');
    } catch (error) {
      if (attempt === maxAttempts || !isConflict(error)) throw error;
      await sleep(attempt * pauseMs * (0.5 + Math.random()));
    }
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof StudioError && error.code === 'write_conflict';
}

const outcomeTexts: Readonly<Record<WriteOutcome, string>> = {
  nothing_written: nothingWritten,
  written: 'it was written',
  unknown: 'check whether it was written',
};

/**
 * States the outcome in the message of a lost connection, an exceeded time limit or a lock. Some errors have it
 * already, for example that of a full disk.
 */
export function withStatedOutcome(error: unknown, outcome: WriteOutcome): unknown {
  if (!(error instanceof StudioError) || writeOutcomeOf(error) !== undefined) return error;
  // The database rolls back the transaction that waited for the lock, also if it was being committed.
  if (error.code === 'database_busy')
    return withOutcomeSentence(error, outcome === 'written' ? outcome : 'nothing_written');
  return isInterruption(error) ? withOutcomeSentence(error, outcome) : error;
}

function withOutcomeSentence(error: StudioError, outcome: WriteOutcome): StudioError {
  const known = withOutcomeDetail(error, outcome);
  const stated = outcomeTexts[outcome];
  if (error.message.toLowerCase().includes(stated)) return known;
  return copyError(known, { message: `${error.message.replace(/\.$/, '')}; ${stated}.` });
}
