import { StudioError } from '../model/errors.ts';
import type { RunOptions } from '../model/database.ts';

/** A running statement that can be canceled from outside. */
export interface Cancelable {
  /** Resolves when the server has processed the request. Statements sent later are not affected. */
  cancel(): Promise<void>;
  /** Closes the connection at once. */
  destroy(): void;
}

/** If the server does not respond to a cancel request within this time, the connection is closed. */
export const cancelMs = 5000;
const maxTimerMs = 2 ** 31 - 1;

/** Restarts the time limit, for the next of several statements. */
export type RestartLimit = () => void;

/**
 * Runs one statement, or several one after the other. When the time limit of one expires or the
 * signal aborts, it is canceled in the database, and the promise rejects with `statement_timeout` or
 * the signal's reason. The promise settles at most `cancelMs` later, whatever the server and the
 * driver do.
 */
export async function runCancelable<T>(
  target: Cancelable,
  options: RunOptions,
  statement: (restartLimit: RestartLimit) => Promise<T>,
): Promise<T> {
  options.signal?.throwIfAborted();
  return runWithLimits(target, options, statement);
}

/**
 * Runs a statement that begins or ends a transaction. It is never canceled, and it also runs when the
 * signal has aborted already. After the time limit or the abort, the server has `cancelMs` to
 * respond. Then the connection is closed.
 */
export function runToEnd<T>(
  target: Pick<Cancelable, 'destroy'>,
  options: RunOptions,
  statement: () => Promise<T>,
): Promise<T> {
  const cancel = (): Promise<void> => Promise.resolve();
  return runWithLimits({ cancel, destroy: () => target.destroy() }, options, statement);
}

/** Opens a connection. Rejects as soon as the time limit expires or the signal aborts. */
export async function openWithin<T>(
  target: Pick<Cancelable, 'destroy'>,
  { signal, limitMs }: RunOptions,
  work: () => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const { promise: abandoned, reject } = Promise.withResolvers<never>();
  const giveUp = (reason: unknown): void => {
    reject(reason);
    target.destroy();
  };
  const limits = watch({ signal, limitMs }, (reason) => giveUp(reason ?? noResponseError()));
  try {
    return await Promise.race([work(), abandoned]);
  } finally {
    limits.stop();
  }
}

/** The error that drivers throw when a server does not respond. */
export function noResponseError(): Error {
  return Object.assign(new Error('The server does not respond.'), { code: 'ETIMEDOUT' });
}

async function runWithLimits<T>(
  target: Cancelable,
  options: RunOptions,
  statement: (restartLimit: RestartLimit) => Promise<T>,
): Promise<T> {
  const endTiming = options.timer?.begin();
  try {
    return await runLimited(target, options, statement);
  } finally {
    endTiming?.();
  }
}

async function runLimited<T>(
  target: Cancelable,
  options: RunOptions,
  statement: (restartLimit: RestartLimit) => Promise<T>,
): Promise<T> {
  const { limitMs = 0 } = options;
  if (options.signal === undefined && options.limitMs === undefined) return statement(() => {});
  const cancellation = createCancellation(target);
  const limits = watch(options, (reason) => cancellation.begin(reason));
  try {
    return await Promise.race([statement(limits.restart), cancellation.noResponse]);
  } catch (error) {
    if (!cancellation.begun()) throw error;
    throw cancellation.reason() ?? limitError(limitMs, cancellation.hasNoResponse());
  } finally {
    limits.stop();
    await cancellation.settled();
  }
}

/** Calls `onEnd` with the signal's reason, or without a reason when the time limit expires. */
function watch(
  { signal, limitMs }: { signal?: AbortSignal | undefined; limitMs?: number | undefined },
  onEnd: (reason?: unknown) => void,
): { readonly restart: RestartLimit; readonly stop: () => void } {
  const onAbort = (): void => onEnd(signal?.reason);
  let timer =
    limitMs === undefined
      ? undefined
      : setTimeout(() => onEnd(), Math.max(0, Math.min(limitMs, maxTimerMs)));
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted === true) onAbort();
  return {
    restart: () => void timer?.refresh(),
    stop: () => {
      clearTimeout(timer);
      // A timer that is refreshed after it was cleared would start again.
      timer = undefined;
      signal?.removeEventListener('abort', onAbort);
    },
  };
}

export function timeoutError(limitMs: number): StudioError {
  return new StudioError(
    'statement_timeout',
    `The statement was ended: it took longer than ${limitText(limitMs)}.`,
  );
}

function limitError(limitMs: number, hasNoResponse: boolean): StudioError {
  if (!hasNoResponse) return timeoutError(limitMs);
  return new StudioError(
    'statement_timeout',
    `The statement took longer than ${limitText(limitMs)}, and the database did not respond to the request to cancel it; its connection was closed.`,
  );
}

function limitText(limitMs: number): string {
  return limitMs < 1000 ? `${Math.round(limitMs)} ms` : `${Math.round(limitMs / 100) / 10} s`;
}

function createCancellation(target: Cancelable) {
  let reason: unknown;
  let destroyed = false;
  let canceling: Promise<void> | undefined;
  let cancelTimer: NodeJS.Timeout | undefined;
  const { promise: noResponse, reject } = Promise.withResolvers<never>();
  // If the statement settled first, nothing else handles this rejection.
  noResponse.catch(() => {});
  const destroy = (): void => {
    destroyed = true;
    target.destroy();
    reject(reason);
  };

  return {
    /** Rejects when the connection was closed because the server did not respond. */
    noResponse,
    begin(endReason: unknown): void {
      if (canceling !== undefined) return;
      reason = endReason;
      const cancelTimeout = new Promise<void>((resolve) => {
        cancelTimer = setTimeout(() => {
          destroy();
          resolve();
        }, cancelMs);
      });
      canceling = Promise.race([target.cancel().catch(destroy), cancelTimeout]);
    },
    begun: () => canceling !== undefined,
    /** Undefined when the time limit expired. */
    reason: () => reason,
    hasNoResponse: () => destroyed,
    /** Before this resolves, a cancel request may be in flight and could cancel the next statement. */
    async settled(): Promise<void> {
      await canceling;
      clearTimeout(cancelTimer);
    },
  };
}
