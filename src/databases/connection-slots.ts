import { StudioError } from '../model/errors.ts';
import { createShares } from './shares.ts';
import type { ConnectionUse } from '../model/database.ts';
import type { Shares } from './shares.ts';

/**
 * A limited number of slots, one for each connection in use. A caller waits in a queue while no slot
 * is free, or while its use holds its share of them.
 */
export interface Slots {
  /** Rejects with `database_busy` after the wait, or with the signal's reason when it aborts. */
  acquire(signal?: AbortSignal, use?: ConnectionUse): Promise<void>;
  /** `use` must be the one that was passed to `acquire`. */
  release(use?: ConnectionUse): void;
  /** Rejects further callers, and resolves when all slots are free. */
  close(): Promise<void>;
  stats(): SlotStats;
}

interface SlotStats {
  readonly inUse: number;
  readonly waitCount: number;
  readonly waitDurationMs: number;
}

interface Waiter {
  readonly use: ConnectionUse | undefined;
  /** Ends the wait: with a slot, or with an error. */
  settle(error?: unknown): void;
}

export function createSlots(max: number, waitMs: number): Slots {
  const queue: Waiter[] = [];
  const shares = createShares(max);
  let waitCount = 0;
  let waitDurationMs = 0;
  let onEmpty: (() => void) | undefined;

  const wait = async (signal: AbortSignal | undefined, use?: ConnectionUse): Promise<void> => {
    const start = performance.now();
    waitCount++;
    try {
      await waitInQueue(queue, {
        signal,
        use,
        waitMs,
        busy: () => waitError(shares, { max, waitMs, use }),
      });
    } finally {
      waitDurationMs += performance.now() - start;
    }
  };

  /** Hands free slots to the first waiting callers whose use may have one. */
  const serveQueue = (): void => {
    while (queue.length > 0 && shares.inUse() < max) {
      const next = queue.findIndex(({ use }) => shares.canAcquire(use));
      if (next === -1) return;
      const [{ use, settle } = { use: undefined, settle: () => {} }] = queue.splice(next, 1);
      shares.acquire(use);
      settle();
    }
  };

  return {
    acquire: async (signal, use) => {
      if (onEmpty !== undefined) throw closedError();
      signal?.throwIfAborted();
      if (!shares.canAcquire(use)) return wait(signal, use);
      shares.acquire(use);
    },
    release: (use) => {
      shares.release(use);
      serveQueue();
      if (shares.inUse() === 0) onEmpty?.();
    },
    close: () =>
      new Promise((resolve) => {
        onEmpty = resolve;
        for (const waiter of queue.splice(0)) waiter.settle(closedError());
        if (shares.inUse() === 0) resolve();
      }),
    stats: () => ({ inUse: shares.inUse(), waitCount, waitDurationMs }),
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

interface ExpiredWait {
  readonly max: number;
  readonly waitMs: number;
  readonly use: ConnectionUse | undefined;
}

/** While slots are free for other uses, the error names the use that holds its whole share. */
function waitError(shares: Shares, { max, waitMs, use }: ExpiredWait): StudioError {
  if (use === undefined || shares.inUse() === max) return busyError(waitMs);
  const { kind, table } = use;
  const described = table === undefined ? kind : `${kind} of "${table}"`;
  const share = `${shares.inUseFor(use)} of ${max}`;
  return new StudioError(
    'database_busy',
    `Other ${described} held their share of the connections (${share}) for ${waitMs / 1000} s. Try again when they are done.`,
    table === undefined ? {} : { table },
  );
}

interface Wait {
  readonly signal: AbortSignal | undefined;
  readonly use: ConnectionUse | undefined;
  readonly waitMs: number;
  readonly busy: () => StudioError;
}

/** Resolves when a slot is handed over. Rejects when the time limit expires or the signal aborts. */
function waitInQueue(queue: Waiter[], { signal, use, waitMs, busy }: Wait): Promise<void> {
  return new Promise((resolve, reject) => {
    const removeFromQueue = (error: unknown): void => {
      const index = queue.indexOf(waiter);
      if (index !== -1) queue.splice(index, 1);
      waiter.settle(error);
    };
    const onAbort = (): void => removeFromQueue(signal?.reason);
    const timer = setTimeout(() => removeFromQueue(busy()), waitMs);
    const waiter: Waiter = {
      use,
      settle: (error) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        if (error === undefined) resolve();
        else reject(error);
      },
    };
    queue.push(waiter);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
