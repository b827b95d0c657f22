/** Work that would hold up the event loop, done in a thread that can be ended. */
import { Worker } from 'node:worker_threads';

export interface ThreadOptions {
  /** The module that the thread runs: it answers each message with one. */
  readonly entry: URL;
  /** A call that takes longer ends the thread. */
  readonly limitMs: number;
  /** The thread ends after this time without a call, and starts again with the next one. */
  readonly idleMs: number;
  readonly stackMb: number;
  readonly heapMb: number;
}

/** The work did not come to an end within the limits of time and memory. */
export class ThreadLimitError extends Error {}

/** Calls wait for those before them. */
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
  // A thread that dies between calls is none of anybody's business: the next call starts another.
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
