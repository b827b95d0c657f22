/** The role of the database's server, which changes when a standby is promoted. */
import { startTimer } from '../../processes/timers.ts';
import type { ServerState } from '../../model/server-state.ts';
import type { Executor } from './executor.ts';

/** For how long a response may show an earlier state. */
const maxAgeMs = 2000;
/** A database that does not respond must not delay the response for longer. */
const limitMs = 2000;

/**
 * Returns a function that resolves with the state of `maxAgeMs` ago at most, or with the last known one if the
 * database does not respond.
 */
export function createServerStateWatch(
  perform: Executor['perform'],
  now: () => number = Date.now,
): () => Promise<ServerState> {
  let readAt = -Infinity;
  let reading: Promise<void> | undefined;
  let state: ServerState = {};

  const read = async (): Promise<void> => {
    try {
      const signal = AbortSignal.timeout(limitMs);
      const { body } = await perform('server-state', {}, { limitMs, signal });
      state = JSON.parse(String(body)) as ServerState;
    } catch {
      // The last known state remains: the requests that need the database report the error.
    } finally {
      readAt = now();
      reading = undefined;
    }
  };

  return async () => {
    const age = now() - readAt;
    if (age >= maxAgeMs || age < 0) await (reading ??= orLimit(read()));
    return state;
  };
}

/** Aborting is not enough: a request behind one that hangs settles when that one is killed. */
function orLimit(read: Promise<void>): Promise<void> {
  const { promise: expired, resolve } = Promise.withResolvers<void>();
  const timer = startTimer(resolve, limitMs);
  return Promise.race([read, expired]).finally(() => clearTimeout(timer));
}
