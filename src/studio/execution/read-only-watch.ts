/** Whether the database takes writes, which changes when a standby is promoted. */
import type { Executor } from './executor.ts';

/** For how long a response may show an earlier state. */
const maxAgeMs = 2000;
/** A database that does not respond must not delay the response for longer. */
const limitMs = 2000;

/** Returns a function that resolves with the reason why the database is read-only, if it is. */
export function createReadOnlyWatch(
  perform: Executor['perform'],
  now: () => number = Date.now,
): () => Promise<string | undefined> {
  let readAt = -Infinity;
  let reading: Promise<void> | undefined;
  let reason: string | undefined;

  const read = async (): Promise<void> => {
    const signal = AbortSignal.timeout(limitMs);
    try {
      const { body } = await perform('read-only-reason', {}, { limitMs, signal });
      reason = (JSON.parse(String(body)) as string | null) ?? undefined;
    } catch {
      // The last known state remains: the requests that need the database report the error.
    } finally {
      readAt = now();
      reading = undefined;
    }
  };

  return async () => {
    const age = now() - readAt;
    if (age >= maxAgeMs || age < 0) await (reading ??= read());
    return reason;
  };
}
