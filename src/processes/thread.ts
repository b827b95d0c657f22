/** Runs CPU-bound work in a worker thread that can be terminated. */
import { Worker } from 'node:worker_threads';

export interface ThreadOptions {
  /** The module that the thread runs. It responds to each message with one message. */
  readonly entry: URL;
  /** The thread is terminated if a call takes longer. */
  readonly limitMs: number;
  /** The thread exits after this time without a call and restarts on the next call. */
  readonly idleMs: number;
  readonly stackMb: number;
  readonly heapMb: number;
}

/** The work exceeded its time or memory limit. */
export class ThreadLimitError extends Error {}

/** Returns a function that queues calls to the thread. */
export function createThread(options: ThreadOptions): (message: unknown) => Promise<unknown> {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const end = (): void => {
    void worker?.terminate();
    worker = undefined;
  };
  const callNow = async (message: unknown): Promise<unknown> => {
    clearTimeout(idle);
    worker ??= startWorker(options);
    worker.ref();
    try {
      return await ask(worker, message, options.limitMs);
    } catch (error) {
      end();
      throw error;
    } finally {
      worker?.unref();
      idle = setTimeout(end, options.idleMs).unref();
    }
  };
  return (message) => {
    const next = last.then(() => callNow(message));
    last = next.catch(() => undefined);
    return next;
  };
}

function startWorker({ entry, heapMb, stackMb }: ThreadOptions): Worker {
  const worker = new Worker(entry, {
    resourceLimits: { maxOldGenerationSizeMb: heapMb, stackSizeMb: stackMb },
  });
  // If a thread dies between calls, the next call starts another.
  worker.on('error', () => undefined);
  return worker;
}

async function ask(worker: Worker, message: unknown, limitMs: number): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const fail = (error: NodeJS.ErrnoException): void =>
    reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ThreadLimitError(error.message) : error);
  const onExit = (): void => reject(new Error('The thread has ended.'));
  const timer = setTimeout(() => reject(new ThreadLimitError('It took too long.')), limitMs);
  worker.once('message', resolve).once('error', fail).once('exit', onExit);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  worker.postMessage(message);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    worker.off('message', resolve).off('error', fail).off('exit', onExit);
  }
}
