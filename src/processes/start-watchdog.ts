import { Worker } from 'node:worker_threads';

import { moduleUrl } from './module-url.ts';
import { createTurns } from './turns.ts';
import type { Turns } from './turns.ts';

const watchdog = moduleUrl(new URL('./watchdog.ts', import.meta.url));

/** The thread that ends this process with its parent; it shares what it returns. */
export function startWatchdog(): Turns {
  const turns = createTurns();
  new Worker(watchdog, { workerData: turns }).unref();
  return turns;
}
