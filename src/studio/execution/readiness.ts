/** Whether the database responds, for readiness probes, which give up after a few seconds. */
import { startTimer } from '../../processes/timers.ts';
import type { Executor } from './executor.ts';

/** A probe gets its response by then, whatever the database does. */
const responseMs = 2000;
/** For each statement. Longer than `responseMs`, so that a large structure can be read for the next probe. */
const limitMs = 5000;

/** Probes that come while the database is being asked wait for the same result, so that they take no more connections. */
export function createReadiness(perform: Executor['perform']): () => Promise<boolean> {
  let asking: Promise<boolean> | undefined;
  const ask = (): Promise<boolean> =>
    perform('ping', {}, { limitMs })
      .then(
        () => true,
        () => false,
      )
      .finally(() => (asking = undefined));
  return () => {
    const { promise: late, resolve } = Promise.withResolvers<boolean>();
    const timer = startTimer(() => resolve(false), responseMs);
    asking ??= ask();
    return Promise.race([asking, late]).finally(() => clearTimeout(timer));
  };
}
