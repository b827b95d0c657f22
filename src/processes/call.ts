/** The state of one call to a host, from submission to its reply. */
import { HostError } from './errors.ts';
import type { ThrownError } from './errors.ts';
import type { Reply, SentReply } from './replies.ts';

export interface CallOptions {
  /** Time limit of the call's execution. Time in the queue does not count. */
  readonly limitMs?: number;
  readonly signal?: AbortSignal;
  /** Called with what the child reports before its reply. */
  readonly onProgress?: (message: unknown) => void;
  /** Whether an abort kills the child if the call is already running. If not, it runs to its end and its reply is ignored. */
  readonly killOnAbort?: boolean;
}

export interface Call {
  readonly payload: Buffer;
  readonly options: CallOptions;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (reason: unknown) => void;
  isSettled: boolean;
  /** Sequence number in the child's queue; 0 while the call waits in the parent. */
  sequence: number;
  /** Start of the execution, by `performance.now()`. */
  startedAt: number;
  provisional: Reply | undefined;
  /** Kills the child when the call's deadline has passed. */
  timer: NodeJS.Timeout | undefined;
  readonly stopListening: () => void;
}

interface CallPlan {
  readonly message: unknown;
  readonly options: CallOptions;
  readonly onAbort: (call: Call) => void;
}

/** Creates a call and its promise. Throws if the message is not serializable. */
export function createCall({ message, options, onAbort }: CallPlan): [Call, Promise<Reply>] {
  const { signal } = options;
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
    startedAt: 0,
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

/** Settles the call with the child's final reply. */
export function settleByReply(call: Call, reply: SentReply): void {
  if (isAborted(call)) rejectAborted(call);
  else if (reply.kind === 'error') rejectCall(call, new HostError(reply.meta as ThrownError));
  else resolveCall(call, reply);
}

/** Returns the rest of the time limit. */
export function remainingMs({ options, startedAt }: Call): number {
  if (options.limitMs === undefined) return Infinity;
  return Math.max(0, startedAt + options.limitMs - performance.now());
}
