import { Worker } from 'node:worker_threads';
import type { ElkNode } from 'elkjs/lib/elk-api.js';
import { moduleUrl } from '../processes/module-url.ts';
import type { ElkRequest } from './elk-worker.ts';
import type { ElkMode, RunElk } from './layered.ts';

/** Options of the ELK layered algorithm. Spacings are in pixels. */
const layoutOptions = {
  'elk.algorithm': 'layered',
  'elk.direction': 'RIGHT',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.separateConnectedComponents': 'false',
  'elk.padding': '[top=0,left=0,bottom=0,right=0]',
  'elk.spacing.nodeNode': '36',
  'elk.spacing.edgeNode': '18',
  'elk.spacing.edgeEdge': '10',
  'elk.layered.spacing.nodeNodeBetweenLayers': '70',
  'elk.layered.spacing.edgeNodeBetweenLayers': '30',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '10',
  'elk.layered.layering.strategy': 'INTERACTIVE',
  'elk.layered.crossingMinimization.strategy': 'LAYER_SWEEP',
  'elk.randomSeed': '1',
};

/** Node placement strategies. BRANDES_KOEPF is as fast as SIMPLE, but makes 500 tables five times as high. */
const placements: Readonly<Record<ElkMode, string>> = {
  balanced: 'NETWORK_SIMPLEX',
  quick: 'SIMPLE',
};

export interface ElkLimits {
  /** Timeout of one attempt. After a timeout in balanced mode, the quick mode gets an attempt. */
  readonly timeMs: number;
  readonly heapMb: number;
}

/** ELK exceeded its time or memory limit. */
export class ElkLimitError extends Error {}

export interface ElkRunner extends AsyncDisposable {
  readonly run: RunElk;
}

interface Thread {
  readonly worker: Worker;
  /** Rejects when the thread exits or fails. */
  readonly failure: Promise<never>;
}

/** Starts a worker thread that lays out one graph at a time. Disposing the runner terminates it. */
export function createElkRunner(limits: ElkLimits): ElkRunner {
  let thread: Thread | undefined = startThread(limits);
  const end = async (): Promise<void> => {
    await thread?.worker.terminate();
    thread = undefined;
  };
  const attempt = async (graph: ElkNode, mode: ElkMode): Promise<ElkNode> => {
    thread ??= startThread(limits);
    const placement = { 'elk.layered.nodePlacement.strategy': placements[mode] };
    try {
      const request = { graph, layoutOptions: { ...layoutOptions, ...placement } };
      return await ask(thread, request, limits.timeMs);
    } catch (error) {
      await end();
      throw error;
    }
  };
  const runNow: RunElk = async (graph, mode) => {
    try {
      return await attempt(graph, mode);
    } catch (error) {
      if (!(error instanceof ElkLimitError) || mode === 'quick') throw error;
      return await attempt(graph, 'quick');
    }
  };
  let last: Promise<unknown> = Promise.resolve();
  const run: RunElk = (graph, mode) => {
    const next = last.then(() => runNow(graph, mode));
    last = next.catch(() => undefined);
    return next;
  };
  return { run, [Symbol.asyncDispose]: end };
}

function startThread({ heapMb }: ElkLimits): Thread {
  const entry = moduleUrl(new URL('./elk-worker.ts', import.meta.url));
  const worker = new Worker(entry, { resourceLimits: { maxOldGenerationSizeMb: heapMb } });
  const { promise: failure, reject } = Promise.withResolvers<never>();
  failure.catch(() => undefined);
  worker.on('error', (error: NodeJS.ErrnoException) =>
    reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ElkLimitError(error.message) : error),
  );
  worker.on('exit', () => reject(new Error('The layout was ended.')));
  return { worker, failure };
}

async function ask(
  { worker, failure }: Thread,
  request: ElkRequest,
  timeMs: number,
): Promise<ElkNode> {
  const { promise, resolve, reject } = Promise.withResolvers<ElkNode>();
  const timer = setTimeout(() => reject(new ElkLimitError('It took too long.')), timeMs);
  worker.once('message', resolve);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  worker.postMessage(request);
  try {
    return await Promise.race([promise, failure]);
  } finally {
    clearTimeout(timer);
    worker.off('message', resolve);
  }
}
