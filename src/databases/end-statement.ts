import { StudioError } from '../model/errors.ts';
import type { RunOptions } from '../model/database.ts';

/** How a running statement is ended from outside. */
export interface Endable {
  /** Resolves when the server has taken notice: a statement sent after that is safe. */
  cancel(): Promise<void>;
  /** Breaks the connection. */
  destroy(): void;
}

/** A server that does not react within this time costs the connection. */
export const heedMs = 5000;
const longestTimerMs = 2 ** 31 - 1;

/**
 * Runs one statement; when the time is up or the caller has gone, ends it in the database and
 * fails with `statement_timeout` or the signal's reason. It settles at most `heedMs` after that,
 * whatever the server and the driver do.
 */
export async function runEndable<T>(
  target: Endable,
  options: RunOptions,
  statement: () => Promise<T>,
): Promise<T> {
  options.signal?.throwIfAborted();
  return runWatched(target, options, statement);
}

/**
 * Runs a statement that begins or ends a transaction. It is never cancelled, and it runs for a
 * caller who has gone too. When the time is up or the caller goes, the server has `heedMs` to
 * answer; after that the connection is closed.
 */
export function runToEnd<T>(
  target: Pick<Endable, 'destroy'>,
  options: RunOptions,
  statement: () => Promise<T>,
): Promise<T> {
  const cancel = (): Promise<void> => Promise.resolve();
  return runWatched({ cancel, destroy: () => target.destroy() }, options, statement);
}

/** Opens a connection; when the time is up or the caller goes, gives up at once. */
export async function openWithin<T>(
  target: Pick<Endable, 'destroy'>,
  { signal, limitMs }: RunOptions,
  work: () => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const { promise: givenUp, reject } = Promise.withResolvers<never>();
  const giveUp = (reason: unknown): void => {
    reject(reason);
    target.destroy();
  };
  const stop = watch({ signal, limitMs }, (reason) => giveUp(reason ?? noAnswerError()));
  try {
    return await Promise.race([work(), givenUp]);
  } finally {
    stop();
  }
}

/** What drivers tell of a server that does not answer. */
export function noAnswerError(): Error {
  return Object.assign(new Error('The server does not answer.'), { code: 'ETIMEDOUT' });
}

async function runWatched<T>(
  target: Endable,
  options: RunOptions,
  statement: () => Promise<T>,
): Promise<T> {
  const { limitMs = 0 } = options;
  if (options.signal === undefined && options.limitMs === undefined) return statement();
  const ending = createEnding(target);
  const stop = watch(options, (reason) => ending.begin(reason));
  try {
    return await Promise.race([statement(), ending.unanswered]);
  } catch (error) {
    if (!ending.begun()) throw error;
    throw ending.reason() ?? lateError(limitMs, ending.isUnanswered());
  } finally {
    stop();
    await ending.settled();
  }
}

/** Calls back once: with the signal's reason, or with nothing when the time is up. */
function watch(
  { signal, limitMs }: { signal?: AbortSignal | undefined; limitMs?: number | undefined },
  onEnd: (reason?: unknown) => void,
): () => void {
  const onAbort = (): void => onEnd(signal?.reason);
  const timer =
    limitMs === undefined
      ? undefined
      : setTimeout(() => onEnd(), Math.min(limitMs, longestTimerMs));
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted === true) onAbort();
  return () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  };
}

export function timeoutError(limitMs: number): StudioError {
  return new StudioError(
    'statement_timeout',
    `The statement was ended: it took longer than ${limitText(limitMs)}.`,
  );
}

function lateError(limitMs: number, isUnanswered: boolean): StudioError {
  if (!isUnanswered) return timeoutError(limitMs);
  return new StudioError(
    'statement_timeout',
    `The statement took longer than ${limitText(limitMs)}, and the database did not answer the request to end it; its connection was closed.`,
  );
}

function limitText(limitMs: number): string {
  return limitMs < 1000 ? `${Math.round(limitMs)} ms` : `${Math.round(limitMs / 100) / 10} s`;
}

function createEnding(target: Endable) {
  let reason: unknown;
  let destroyed = false;
  let cancelling: Promise<void> | undefined;
  let lastResort: NodeJS.Timeout | undefined;
  const { promise: unanswered, reject } = Promise.withResolvers<never>();
  // Nobody waits for it any more when the statement has settled.
  unanswered.catch(() => {});
  const destroy = (): void => {
    destroyed = true;
    target.destroy();
    reject(reason);
  };

  return {
    /** Rejects when the connection has been closed for want of an answer. */
    unanswered,
    begin(because: unknown): void {
      if (cancelling !== undefined) return;
      reason = because;
      const patience = new Promise<void>((resolve) => {
        lastResort = setTimeout(() => {
          destroy();
          resolve();
        }, heedMs);
      });
      cancelling = Promise.race([target.cancel().catch(destroy), patience]);
    },
    begun: () => cancelling !== undefined,
    /** Undefined when the time was up. */
    reason: () => reason,
    isUnanswered: () => destroyed,
    /** Until then a cancel request may still be on its way and would hit the next statement. */
    async settled(): Promise<void> {
      await cancelling;
      clearTimeout(lastResort);
    },
  };
}
