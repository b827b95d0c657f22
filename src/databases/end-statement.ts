import { StudioError } from '../model/errors.ts';
import type { RunOptions } from '../model/database.ts';

/** How a running statement is ended from outside. */
export interface Endable {
  /** Resolves when the server has taken notice: a statement sent after that is safe. */
  cancel(): Promise<void>;
  /** Breaks the connection. */
  destroy(): void;
}

/** A statement that does not heed a cancel request costs its connection. */
const heedMs = 5000;
const longestTimerMs = 2 ** 31 - 1;

/**
 * Runs one statement; when the time is up or the caller has gone, ends it in the database and
 * fails with `statement_timeout` or the signal's reason.
 */
export async function runEndable<T>(
  target: Endable,
  options: RunOptions,
  statement: () => Promise<T>,
): Promise<T> {
  const { signal, limitMs } = options;
  if (signal === undefined && limitMs === undefined) return statement();
  signal?.throwIfAborted();
  const ending = createEnding(target);
  const onAbort = (): void => ending.begin(signal?.reason);
  const timer =
    limitMs === undefined
      ? undefined
      : setTimeout(() => ending.begin(timeoutError(limitMs)), Math.min(limitMs, longestTimerMs));
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await statement();
  } catch (error) {
    throw ending.begun() ? ending.reason() : error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    await ending.settled();
  }
}

export function timeoutError(limitMs: number): StudioError {
  const limit =
    limitMs < 1000 ? `${Math.round(limitMs)} ms` : `${Math.round(limitMs / 100) / 10} s`;
  return new StudioError(
    'statement_timeout',
    `The statement was ended: it took longer than ${limit}.`,
  );
}

function createEnding(target: Endable) {
  let reason: unknown;
  let cancelling: Promise<void> | undefined;
  let lastResort: NodeJS.Timeout | undefined;

  return {
    begin(because: unknown): void {
      if (cancelling !== undefined) return;
      reason = because;
      const patience = new Promise<void>((resolve) => {
        lastResort = setTimeout(() => {
          target.destroy();
          resolve();
        }, heedMs);
      });
      cancelling = Promise.race([target.cancel().catch(() => target.destroy()), patience]);
    },
    begun: () => cancelling !== undefined,
    reason: () => reason,
    /** Until then a cancel request may still be on its way and would hit the next statement. */
    async settled(): Promise<void> {
      await cancelling;
      clearTimeout(lastResort);
    },
  };
}
