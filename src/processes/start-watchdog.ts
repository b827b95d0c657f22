import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { moduleUrl } from './module-url.ts';
import { createSharedRequests } from './shared-requests.ts';
import type { SharedRequests } from './shared-requests.ts';

const watchdogUrl = moduleUrl(new URL('./watchdog.ts', import.meta.url));

/** What the caller needs of the thread that kills this process when the parent exits. */
export interface Watchdog {
  readonly requests: SharedRequests;
  /** Resolves when the watchdog runs independently of the main thread, which may block from then on. */
  readonly started: Promise<void>;
}

export function startWatchdog(): Watchdog {
  const requests = createSharedRequests();
  const worker = new Worker(watchdogUrl, { workerData: requests });
  const started = once(worker, 'online').then(() => worker.unref());
  return { requests, started };
}
