import { Worker } from 'node:worker_threads';
import type { ElkNode } from 'elkjs/lib/elk-api.js';
import { moduleUrl } from '../processes/module-url.ts';
import type { ElkOrder } from './elk-worker.ts';
import type { ElkWay, RunElk } from './layered.ts';

/** How tables and lines keep clear of each other, in pixels, and by which of ELK's ways. */
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

/** ELK's names of them. BRANDES_KOEPF is as quick as SIMPLE, but makes 500 tables five times as high. */
const placements: Readonly<Record<ElkWay, string>> = {
  balanced: 'NETWORK_SIMPLEX',
  quick: 'SIMPLE',
};

export interface ElkLimits {
  /** For each attempt: what is not done in the balanced way by then has the quick one's. */
  readonly timeMs: number;
  readonly heapMb: number;
}

/** ELK did not get to an end within its limits. */
export class ElkLimitError extends Error {}

export interface ElkRunner extends AsyncDisposable {
  readonly run: RunElk;
}

interface Thread {
  readonly worker: Worker;
  /** Rejects when the thread ends by itself. */
  readonly failure: Promise<never>;
}

/** One graph after the other, in a thread that starts at once and is ended with the runner. */
export function createElkRunner(limits: ElkLimits): ElkRunner {
  let thread: Thread | undefined = startThread(limits);
  const end = async (): Promise<void> => {
    await thread?.worker.terminate();
    thread = undefined;
  };
  const attempt = async (graph: ElkNode, way: ElkWay): Promise<ElkNode> => {
    thread ??= startThread(limits);
    const placement = { 'elk.layered.nodePlacement.strategy': placements[way] };
    try {
      const order = { graph, layoutOptions: { ...layoutOptions, ...placement } };
      return await ask(thread, order, limits.timeMs);
    } catch (error) {
      await end();
      throw error;
    }
  };
  const runNow: RunElk = async (graph, way) => {
    try {
      return await attempt(graph, way);
    } catch (error) {
      if (!(error instanceof ElkLimitError) || way === 'quick') throw error;
      return await attempt(graph, 'quick');
    }
  };
  let last: Promise<unknown> = Promise.resolve();
  const run: RunElk = (graph, way) => {
    const next = last.then(() => runNow(graph, way));
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

async function ask({ worker, failure }: Thread, order: ElkOrder, timeMs: number): Promise<ElkNode> {
  const { promise, resolve, reject } = Promise.withResolvers<ElkNode>();
  const timer = setTimeout(() => reject(new ElkLimitError('It took too long.')), timeMs);
  worker.once('message', resolve);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  worker.postMessage(order);
  try {
    return await Promise.race([promise, failure]);
  } finally {
    clearTimeout(timer);
    worker.off('message', resolve);
  }
}
