/** One call on its way through a host. */
import { HostError } from './errors.ts';
import type { ThrownError } from './errors.ts';
import type { Reply, SentReply } from './replies.ts';

export interface CallOptions {
  /** How long its own work may take; time spent in the queue does not count. */
  readonly limitMs?: number;
  readonly signal?: AbortSignal;
  /** Whether an abort kills the child when the call runs already; otherwise it runs on unheard. */
  readonly killOnAbort?: boolean;
}

export interface Call {
  readonly payload: Buffer;
  readonly options: CallOptions;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (reason: unknown) => void;
  isSettled: boolean;
  /** Its number in the line of its child; 0 while it waits in the parent. */
  sequence: number;
  /** When its own work began, by `performance.now()`. */
  begunAt: number;
  provisional: Reply | undefined;
  /** Fires when the child is to be killed for it. */
  timer: NodeJS.Timeout | undefined;
  readonly stopListening: () => void;
}

interface CallPlan {
  readonly message: unknown;
  readonly options: CallOptions;
  readonly onAbort: (call: Call) => void;
}

/** A call and its promise. Throws what is wrong with the message or the signal. */
export function createCall({ message, options, onAbort }: CallPlan): [Call, Promise<Reply>] {
  const { signal } = options;
  signal?.throwIfAborted();
  const payload = Buffer.from(JSON.stringify(message ?? null));
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const listener = (): void => onAbort(call);
  const call: Call = {
    payload,
    options,
    resolve,
    reject,
    isSettled: false,
    sequence: 0,
    begunAt: 0,
    provisional: undefined,
    timer: undefined,
    stopListening: () => signal?.removeEventListener('abort', listener),
  };
  signal?.addEventListener('abort', listener, { once: true });
  return [call, promise];
}

export function isAborted(call: Call): boolean {
  return call.options.signal?.aborted === true;
}

export function rejectAborted(call: Call): void {
  rejectCall(call, call.options.signal?.reason);
}

export function rejectCall(call: Call, reason: unknown): void {
  call.isSettled = true;
  call.stopListening();
  call.reject(reason);
}

export function resolveCall(call: Call, { meta, body }: Reply): void {
  call.isSettled = true;
  call.stopListening();
  call.resolve({ meta, body });
}

/** Settles it with the child's last word on it. */
export function conclude(call: Call, reply: SentReply): void {
  if (isAborted(call)) rejectAborted(call);
  else if (reply.kind === 'error') rejectCall(call, new HostError(reply.meta as ThrownError));
  else resolveCall(call, reply);
}

/** What of its limit is left. */
export function remainingMs({ options, begunAt }: Call): number {
  if (options.limitMs === undefined) return Infinity;
  return Math.max(0, begunAt + options.limitMs - performance.now());
}
