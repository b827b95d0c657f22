import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { moduleUrl } from './module-url.ts';
import { createTurns } from './turns.ts';
import type { Turns } from './turns.ts';

const watchdog = moduleUrl(new URL('./watchdog.ts', import.meta.url));

/** The thread that ends this process with its parent, and what it shares. */
export interface Watchdog {
  readonly turns: Turns;
  /** From then on it needs nothing of this thread, which may block. */
  readonly started: Promise<void>;
}

export function startWatchdog(): Watchdog {
  const turns = createTurns();
  const worker = new Worker(watchdog, { workerData: turns });
  const started = once(worker, 'online').then(() => worker.unref());
  return { turns, started };
}
