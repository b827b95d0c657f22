import { setTimeout as sleep } from 'node:timers/promises';
import { StudioError } from '../model/errors.ts';

interface WaitOptions {
  /** Milliseconds from now. Undefined: a single attempt. */
  readonly limitMs: number | undefined;
  readonly note: (sentence: string) => void;
}

const firstPauseMs = 250;
const maxPauseMs = 5000;

/**
 * Opens a database, again and again while it cannot be reached. The pauses double. After the time
 * limit, the error of the last attempt is thrown.
 */
export async function waitForDatabase<T>(
  open: () => Promise<T>,
  { limitMs = 0, note }: WaitOptions,
): Promise<T> {
  const end = performance.now() + limitMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    try {
      return await open();
    } catch (error) {
      const leftMs = end - performance.now();
      if (!isUnreachable(error) || leftMs <= 0) throw error;
      if (pauseMs === firstPauseMs)
        note(`${error.message} Waiting for it, ${Math.ceil(leftMs / 1000)} s at most.`);
      await sleep(Math.min(pauseMs, leftMs));
    }
  }
}

/** A missing file does not appear by waiting. */
function isUnreachable(error: unknown): error is StudioError {
  if (!(error instanceof StudioError) || error.details['missing_file'] !== undefined) return false;
  return error.code === 'database_unavailable' || error.code === 'database_busy';
}
