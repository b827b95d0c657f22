import { StudioError } from '../model/errors.ts';
import { withStatedOutcome } from '../studio/core/write-transaction.ts';

/** Whether an app takes requests of new clients, and which work still runs. */
export interface Lifecycle {
  /** From now on, `/health` is not ready and each response closes its connection. */
  drain(): void;
  isDraining(): boolean;
  /**
   * Runs work with a signal that aborts when its client has disconnected, or when the studio stops. Work without
   * `disconnected` goes on when its client disconnects.
   */
  run<T>(work: (signal: AbortSignal) => Promise<T>, disconnected?: AbortSignal): Promise<T>;
  /** Cancels all work: it fails with an error that says that the studio is shutting down. */
  stop(): void;
  /** Resolves when no work runs. */
  settled(): Promise<void>;
}

export function createLifecycle(): Lifecycle {
  let draining = false;
  let hasStopped = false;
  const running = new Map<Promise<unknown>, AbortController>();
  const start = <T>(
    work: (signal: AbortSignal) => Promise<T>,
    disconnected: AbortSignal | undefined,
  ): Promise<T> => {
    const controller = new AbortController();
    const abort = (): void => controller.abort(disconnected?.reason);
    disconnected?.addEventListener('abort', abort, { once: true });
    if (disconnected?.aborted === true) abort();
    const result = work(controller.signal);
    running.set(result, controller);
    const remove = (): void => {
      disconnected?.removeEventListener('abort', abort);
      running.delete(result);
    };
    result.then(remove, remove);
    return result;
  };
  return {
    drain: () => void (draining = true),
    isDraining: () => draining,
    run: async (work, disconnected) => {
      if (hasStopped) throw withStatedOutcome(shuttingDown(), 'nothing_written');
      return start(work, disconnected);
    },
    stop: () => {
      hasStopped = true;
      for (const controller of running.values()) controller.abort(shuttingDown());
    },
    settled: async () => {
      while (running.size > 0) await Promise.allSettled(running.keys());
    },
  };
}

/** The transaction of a write adds what it has written. */
function shuttingDown(): StudioError {
  return new StudioError('database_unavailable', 'The studio is shutting down.');
}
