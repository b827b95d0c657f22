/** Runs ELK in a thread of its own: it cannot be interrupted, a thread can be ended. */
import { parentPort } from 'node:worker_threads';
import type { ElkNode } from 'elkjs/lib/elk-api.js';
import Elk from 'elkjs/lib/elk.bundled.js';

/** What the thread is told, one at a time. */
export interface ElkOrder {
  readonly graph: ElkNode;
  readonly layoutOptions: Readonly<Record<string, string>>;
}

const elk = new Elk.default();

parentPort?.on('message', (order: ElkOrder) => void answer(order));

async function answer({ graph, layoutOptions }: ElkOrder): Promise<void> {
  const placed = await elk.layout(graph, { layoutOptions: { ...layoutOptions } });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(placed);
}
