/**
 * Each job is a process of some 90 MB or more, so only a few run at a time. The others wait in the
 * order in which they came. Jobs of one table never occupy all slots, so that others can run.
 */
import { createShares } from '../../databases/shares.ts';
import { StudioError } from '../../model/errors.ts';
import type { ConnectionUse } from '../../model/database.ts';

export interface JobQueue {
  /**
   * Resolves when the job may start, with a function that releases its slot. Rejects with the signal's reason
   * when the client leaves the queue, and with `too_many_requests` when the queue is full.
   */
  acquire(options?: AcquireOptions): Promise<() => void>;
}

export interface AcquireOptions {
  readonly signal?: AbortSignal;
  readonly use?: ConnectionUse;
  /** Called with the number of jobs that are ahead, whenever it changes. */
  readonly onWaiting?: (ahead: number) => void;
}

export interface QueueLimits {
  /** Jobs that run at a time. */
  readonly running: number;
  /** Jobs that wait. */
  readonly waiting: number;
}

interface Waiter {
  readonly use: ConnectionUse | undefined;
  readonly start: () => void;
  readonly onWaiting: (ahead: number) => void;
}

const retryAfterSeconds = 10;

export function createJobQueue(limits: QueueLimits): JobQueue {
  const waiters: Waiter[] = [];
  const shares = createShares(limits.running);
  const announce = (): void => waiters.forEach(({ onWaiting }, ahead) => onWaiting(ahead));
  const startNext = (): void => {
    const next = waiters.findIndex(({ use }) => shares.canAcquire(use));
    if (next === -1) return;
    const [waiter] = waiters.splice(next, 1);
    shares.acquire(waiter?.use);
    waiter?.start();
    startNext();
  };
  const release = (use: ConnectionUse | undefined): void => {
    shares.release(use);
    startNext();
    announce();
  };
  return {
    async acquire({ signal, use, onWaiting = () => undefined } = {}) {
      signal?.throwIfAborted();
      if (shares.canAcquire(use)) shares.acquire(use);
      else if (waiters.length >= limits.waiting) throw fullQueue(limits);
      else await wait(waiters, { signal, use, onWaiting, announce });
      return once(() => release(use));
    },
  };
}

interface WaitOptions {
  readonly signal: AbortSignal | undefined;
  readonly use: ConnectionUse | undefined;
  readonly onWaiting: (ahead: number) => void;
  /** Tells the later ones when one leaves the queue. */
  readonly announce: () => void;
}

function wait(waiters: Waiter[], { signal, use, onWaiting, announce }: WaitOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = (): void => {
      waiters.splice(waiters.indexOf(waiter), 1);
      announce();
      reject(signal?.reason as Error);
    };
    const start = (): void => {
      signal?.removeEventListener('abort', cancel);
      resolve();
    };
    const waiter = { use, start, onWaiting };
    waiters.push(waiter);
    signal?.addEventListener('abort', cancel, { once: true });
    onWaiting(waiters.length - 1);
  });
}

function fullQueue({ running, waiting }: QueueLimits): StudioError {
  return new StudioError(
    'too_many_requests',
    `${running} imports and exports are running and ${waiting} are waiting; try again when some are done.`,
    { retry_after: retryAfterSeconds },
  );
}

function once(release: () => void): () => void {
  let isHeld = true;
  return () => {
    if (isHeld) release();
    isHeld = false;
  };
}
