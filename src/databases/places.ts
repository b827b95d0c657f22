import { StudioError } from '../model/errors.ts';
import { createShares } from './shares.ts';
import type { ConnectionUse } from '../model/database.ts';
import type { Shares } from './shares.ts';

/**
 * A number of places, one for each who has a connection. Whoever comes when none is to be had, or
 * none for this use, waits in line.
 */
export interface Places {
  /** Fails with `database_busy` after the wait, with the signal's reason when the caller has gone. */
  take(signal?: AbortSignal, use?: ConnectionUse): Promise<void>;
  /** The use is the one that the place was taken for. */
  free(use?: ConnectionUse): void;
  /** Gives no more; resolves when all are free. */
  close(): Promise<void>;
  stats(): PlaceStats;
}

interface PlaceStats {
  readonly taken: number;
  readonly waitCount: number;
  readonly waitDurationMs: number;
}

interface Waiting {
  readonly use: ConnectionUse | undefined;
  /** The place is theirs; with an error, they will have none. */
  settle(error?: unknown): void;
}

export function createPlaces(most: number, waitMs: number): Places {
  const line: Waiting[] = [];
  const shares = createShares(most);
  let waitCount = 0;
  let waitDurationMs = 0;
  let onEmpty: (() => void) | undefined;

  const wait = async (signal: AbortSignal | undefined, use?: ConnectionUse): Promise<void> => {
    const start = performance.now();
    waitCount++;
    try {
      await waitInLine(line, {
        signal,
        use,
        waitMs,
        busy: () => waitError(shares, { most, waitMs, use }),
      });
    } finally {
      waitDurationMs += performance.now() - start;
    }
  };

  /** Gives free places to the first in line that may have them. */
  const serve = (): void => {
    while (line.length > 0 && shares.taken() < most) {
      const next = line.findIndex(({ use }) => shares.mayTake(use));
      if (next === -1) return;
      const [{ use, settle } = { use: undefined, settle: () => {} }] = line.splice(next, 1);
      shares.take(use);
      settle();
    }
  };

  return {
    take: async (signal, use) => {
      if (onEmpty !== undefined) throw closedError();
      signal?.throwIfAborted();
      if (!shares.mayTake(use)) return wait(signal, use);
      shares.take(use);
    },
    free: (use) => {
      shares.free(use);
      serve();
      if (shares.taken() === 0) onEmpty?.();
    },
    close: () =>
      new Promise((resolve) => {
        onEmpty = resolve;
        for (const waiting of line.splice(0)) waiting.settle(closedError());
        if (shares.taken() === 0) resolve();
      }),
    stats: () => ({ taken: shares.taken(), waitCount, waitDurationMs }),
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

interface Waited {
  readonly most: number;
  readonly waitMs: number;
  readonly use: ConnectionUse | undefined;
}

/** Places that are free are others': the error says who holds this use's share. */
function waitError(shares: Shares, { most, waitMs, use }: Waited): StudioError {
  if (use === undefined || shares.taken() === most) return busyError(waitMs);
  const { kind, table } = use;
  const what = table === undefined ? kind : `${kind} of "${table}"`;
  const share = `${shares.heldFor(use)} of ${most}`;
  return new StudioError(
    'database_busy',
    `Other ${what} held their share of the connections (${share}) for ${waitMs / 1000} s. Try again when they are done.`,
    table === undefined ? {} : { table },
  );
}

interface Wait {
  readonly signal: AbortSignal | undefined;
  readonly use: ConnectionUse | undefined;
  readonly waitMs: number;
  readonly busy: () => StudioError;
}

/** Resolves when a place is handed over; leaves the line when the time or the caller's patience ends. */
function waitInLine(line: Waiting[], { signal, use, waitMs, busy }: Wait): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (error: unknown): void => {
      const at = line.indexOf(waiting);
      if (at !== -1) line.splice(at, 1);
      waiting.settle(error);
    };
    const onAbort = (): void => leave(signal?.reason);
    const timer = setTimeout(() => leave(busy()), waitMs);
    const waiting: Waiting = {
      use,
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
