import { StudioError } from '../model/errors.ts';

/** A number of places, one for each who has a connection; whoever comes when all are taken waits in line. */
export interface Places {
  /** Fails with `database_busy` after the wait, with the signal's reason when the caller has gone. */
  take(signal?: AbortSignal): Promise<void>;
  free(): void;
  /** Gives no more; resolves when all are free. */
  close(): Promise<void>;
  stats(): { readonly taken: number; readonly waitCount: number; readonly waitDurationMs: number };
}

interface Waiting {
  /** The place is theirs; with an error, they will have none. */
  settle(error?: unknown): void;
}

export function createPlaces(most: number, waitMs: number): Places {
  const line: Waiting[] = [];
  let taken = 0;
  let waitCount = 0;
  let waitDurationMs = 0;
  let onEmpty: (() => void) | undefined;

  const wait = async (signal: AbortSignal | undefined): Promise<void> => {
    const start = performance.now();
    waitCount++;
    try {
      await waitInLine(line, waitMs, signal);
    } finally {
      waitDurationMs += performance.now() - start;
    }
  };

  return {
    take: async (signal) => {
      if (onEmpty !== undefined) throw closedError();
      signal?.throwIfAborted();
      if (taken === most) return wait(signal);
      taken++;
    },
    free: () => {
      const next = line.shift();
      if (next !== undefined) return next.settle();
      taken--;
      if (taken === 0) onEmpty?.();
    },
    close: () =>
      new Promise((resolve) => {
        onEmpty = resolve;
        for (const waiting of line.splice(0)) waiting.settle(closedError());
        if (taken === 0) resolve();
      }),
    stats: () => ({ taken, waitCount, waitDurationMs }),
  };
}

export function closedError(): StudioError {
  return new StudioError(
    'database_unavailable',
    'The studio has closed its connections to the database.',
  );
}

function busyError(waitMs: number): StudioError {
  return new StudioError(
    'database_busy',
    `No connection to the database became free within ${waitMs / 1000} s.`,
  );
}

/** Resolves when a place is handed over; leaves the line when the time or the caller's patience ends. */
function waitInLine(
  line: Waiting[],
  waitMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (error: unknown): void => {
      const at = line.indexOf(waiting);
      if (at !== -1) line.splice(at, 1);
      waiting.settle(error);
    };
    const onAbort = (): void => leave(signal?.reason);
    const timer = setTimeout(() => leave(busyError(waitMs)), waitMs);
    const waiting: Waiting = {
      settle: (error) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        if (error === undefined) resolve();
        else reject(error);
      },
    };
    line.push(waiting);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
