/** Runs ELK in a worker thread: a layout cannot be interrupted, but its thread can be terminated. */
import { parentPort } from 'node:worker_threads';
import type { ElkNode } from 'elkjs/lib/elk-api.js';
import Elk from 'elkjs/lib/elk.bundled.js';

/** A message to the worker. The worker handles one at a time. */
export interface ElkRequest {
  readonly graph: ElkNode;
  readonly layoutOptions: Readonly<Record<string, string>>;
}

const elk = new Elk.default();

parentPort?.on('message', (request: ElkRequest) => void layOut(request));

async function layOut({ graph, layoutOptions }: ElkRequest): Promise<void> {
  const laidOutGraph = await elk.layout(graph, { layoutOptions: { ...layoutOptions } });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(laidOutGraph);
}
