import { setTimeout as sleep } from 'node:timers/promises';
import { copyError, nothingWritten, StudioError } from '../../model/errors.ts';

type Transact<T, S> = (work: (session: S) => Promise<T>) => Promise<T>;

/**
 * Runs one transaction that writes. If the connection is lost, the error states the outcome: before the
 * commit nothing was written, during the commit the outcome is unknown. `transact` runs its argument in a
 * transaction and commits it. Before it has begun, the error is unchanged: an earlier transaction of the
 * same work may have written.
 */
export async function writeTransaction<T, S>(
  transact: Transact<T, S>,
  work: (session: S) => Promise<T>,
): Promise<T> {
  let hasBegun = false;
  let isCommitting = false;
  try {
    return await transact(async (session) => {
      hasBegun = true;
      const result = await work(session);
      isCommitting = true;
      return result;
    });
  } catch (error) {
    throw hasBegun ? withOutcome(error, isCommitting) : error;
  }
}

/** The transactions that a conflict ended are likely to meet again if both start at once. */
const pauseMs = 20;
const maxAttempts = 4;

/**
 * The same, and repeats a transaction that the database has rolled back because of another one
 * (deadlock, serialization failure, certification failure of a cluster). The work must do nothing
 * outside of its transaction. It reads its rows again, so that `If-Match` is compared anew. If it cannot
 * begin, the error says that nothing was written.
 */
export async function repeatableTransaction<T, S>(
  transact: Transact<T, S>,
  work: (session: S) => Promise<T>,
): Promise<T> {
  let hasBegun = false;
  const begun = async (session: S): Promise<T> => {
    hasBegun = true;
    return work(session);
  };
  for (let attempt = 1; ; attempt += 1) {
    hasBegun = false;
    try {
      return await writeTransaction(transact, begun);
    } catch (error) {
      if (attempt === maxAttempts || !isConflict(error))
        throw hasBegun ? error : withOutcome(error, false);
      await sleep(attempt * pauseMs * (0.5 + Math.random()));
    }
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof StudioError && error.code === 'write_conflict';
}

function withOutcome(error: unknown, isCommitting: boolean): unknown {
  if (!(error instanceof StudioError) || error.code !== 'database_unavailable') return error;
  // Some errors already contain the outcome, for example that of a full disk.
  if (error.message.includes(nothingWritten)) return error;
  const outcome = isCommitting ? 'check whether it was written' : nothingWritten;
  return copyError(error, { message: `${error.message.replace(/\.$/, '')}; ${outcome}.` });
}
