/** Long-lived child processes that answer requests one at a time, in order. A child can be killed at any time. */
import {
  settleByReply,
  createCall,
  isAborted,
  rejectAborted,
  rejectCall,
  remainingMs,
  resolveCall,
} from './call.ts';
import type { Call, CallOptions } from './call.ts';
import {
  HostClosedError,
  HostCrashError,
  HostError,
  HostStuckError,
  HostTimeoutError,
} from './errors.ts';
import type { ChildExit, ThrownError } from './errors.ts';
import { holdEventLoop, startTimer } from './timers.ts';
import type { EventLoopHold } from './timers.ts';
import { START } from './frames.ts';
import { startHostChild } from './host-child.ts';
import type { HostChild } from './host-child.ts';
import type { Reply, SentReply } from './replies.ts';
import type { SpawnOptions } from './spawn-module.ts';
import { MAX_IN_CHILD } from './shared-requests.ts';

export { HostCrashError, HostError, HostTimeoutError } from './errors.ts';
export type { CallOptions, Reply };

export interface HostOptions extends SpawnOptions {
  /** The child's name in error messages. */
  readonly name?: string;
  /** JSON for the child's `start`. Credentials belong here, never in arguments or environment. */
  readonly start: unknown;
  /** The child exits after this time without a call and restarts on the next call. */
  readonly idleMs?: number;
  readonly startLimitMs?: number;
  /** Called with the reply of each call. */
  readonly onReply?: (reply: Reply) => void;
}

export interface Host {
  /**
   * Rejects with HostError (the code in the child threw), HostTimeoutError, HostCrashError,
   * HostStuckError or the signal's reason. A settled call is no longer running, unless killOnAbort is false.
   */
  readonly call: (message: unknown, options?: CallOptions) => Promise<Reply>;
  /** Number of unanswered calls, including the running one. */
  readonly queued: number;
  /** Execution time of the running call so far; 0 if none is running. */
  readonly busyMs: number;
  /** Whether a child process exists. */
  readonly running: boolean;
  /** Rejects all calls with the reason and kills the child. The host remains usable. */
  readonly kill: (reason: unknown) => void;
  /** Rejects new calls, waits a limited time for pending calls, and ends the child. */
  readonly close: () => Promise<void>;
}

/** One child process, from its start to its exit. */
interface ChildState {
  readonly child: HostChild;
  phase: 'starting' | 'ready' | 'leaving';
  nextSequence: number;
  hasReplied: boolean;
  /** The call whose deadline caused the kill. */
  expiredCall: Call | undefined;
  /** Kills the child if its start or its exit takes too long. */
  timer: NodeJS.Timeout | undefined;
}

interface State {
  readonly options: HostOptions;
  readonly start: Buffer;
  /** Calls not yet sent to the child, in order. */
  readonly waiting: Call[];
  /** Calls sent to the child, in order. The first one is running. */
  sentCalls: Call[];
  childState: ChildState | undefined;
  /** A killed child that still exists. No other child starts until it has ended, so that there is one at most. */
  stuckChild: HostChild | undefined;
  /** Number of consecutive children that crashed without answering a call. */
  crashes: number;
  lastUsedAt: number;
  idleTimer: NodeJS.Timeout | undefined;
  /** Keeps the event loop alive while calls are pending. */
  keepAlive: EventLoopHold | undefined;
  closed: PromiseWithResolvers<void> | undefined;
}

const IDLE_MS = 60_000;
const START_LIMIT_MS = 30_000;
const END_LIMIT_MS = 5_000;
const MAX_CRASHES = 3;
/** A child that does not respond to a cancellation by then is stopped or stuck. */
const CANCEL_LIMIT_MS = 5_000;
/** After this time, closing kills the child and its running calls. */
const CLOSE_LIMIT_MS = 10_000;
/** An aborted call that finishes within this time does not cause a kill. */
const ABORT_GRACE_MS = 10;

/** Creates a host. The child starts with the first call. */
export function createHost(options: HostOptions): Host {
  const host: State = {
    options,
    start: Buffer.from(JSON.stringify(options.start ?? null)),
    waiting: [],
    sentCalls: [],
    childState: undefined,
    stuckChild: undefined,
    crashes: 0,
    lastUsedAt: 0,
    idleTimer: undefined,
    keepAlive: undefined,
    closed: undefined,
  };
  return {
    call: async (message, callOptions = {}) => {
      const reply = await submit(host, message, callOptions);
      options.onReply?.(reply);
      return reply;
    },
    get queued() {
      return host.waiting.length + host.sentCalls.length;
    },
    get running() {
      return host.childState !== undefined;
    },
    get busyMs() {
      return host.sentCalls[0] ? performance.now() - host.sentCalls[0].startedAt : 0;
    },
    kill: (reason) => killAll(host, reason),
    close: async () => await close(host),
  };
}

function submit(host: State, message: unknown, options: CallOptions): Promise<Reply> {
  options.signal?.throwIfAborted();
  if (host.closed) throw new HostClosedError();
  const [call, promise] = createCall({ message, options, onAbort: (it) => abort(host, it) });
  host.waiting.push(call);
  host.keepAlive ??= holdEventLoop();
  sendWaiting(host);
  return promise;
}

/** Sends waiting calls to the child and starts one if necessary. */
function sendWaiting(host: State): void {
  if (host.waiting.length === 0 || rejectIfStuck(host)) return;
  host.childState ??= startChild(host);
  if (host.childState.phase !== 'ready') return;
  while (host.sentCalls.length < MAX_IN_CHILD) {
    const call = host.waiting.shift();
    if (!call) return;
    send(host, host.childState, call);
  }
}

function rejectIfStuck(host: State): boolean {
  if (host.stuckChild?.hasExited()) host.stuckChild = undefined;
  if (host.stuckChild === undefined) return false;
  for (const call of host.waiting.splice(0)) rejectCall(call, new HostStuckError(false));
  finishIfIdle(host);
  return true;
}

function startChild(host: State): ChildState {
  const childState: ChildState = {
    child: startHostChild(host.options, {
      onReply: (sequence, reply) => handleReply(host, sequence, reply),
      onCancelResponse: (sequence, isRemoved) => {
        // The control pipe of an exited child may deliver late, when its successor already runs.
        if (host.childState === childState) handleCancelResponse(host, sequence, isRemoved);
      },
      onExit: (exit) => handleExit(host, childState, exit),
    }),
    phase: 'starting',
    nextSequence: 1,
    hasReplied: false,
    expiredCall: undefined,
    timer: undefined,
  };
  const limitMs = host.options.startLimitMs ?? START_LIMIT_MS;
  childState.timer = startTimer(
    () => failStart(host, childState, new HostTimeoutError(limitMs)),
    limitMs,
  );
  childState.timer.unref();
  childState.child.send(START, host.start);
  return childState;
}

function send(host: State, childState: ChildState, call: Call): void {
  call.sequence = childState.nextSequence;
  // Sequence numbers have 32 bits on the wire, and 0 is START.
  childState.nextSequence = (childState.nextSequence + 1) >>> 0 || 1;
  childState.child.send(call.sequence, call.payload);
  if (host.sentCalls.push(call) === 1) startHead(host);
}

/** Starts the time limit of the first call: the child executes it now. */
function startHead(host: State): void {
  const [head] = host.sentCalls;
  if (!head) return;
  head.startedAt = performance.now();
  if (head.options.limitMs !== undefined && !head.timer) expireIn(host, head, head.options.limitMs);
}

function handleReply(host: State, sequence: number, reply: SentReply): void {
  if (sequence === START) return handleStart(host, reply);
  if (reply.kind === 'provisional') return handleProvisional(host, sequence, reply);
  if (reply.kind === 'progress') return handleProgress(host, sequence, reply);
  const call = host.sentCalls.shift();
  if (host.childState) host.childState.hasReplied = true;
  if (call) {
    clearTimeout(call.timer);
    settleByReply(call, reply);
  }
  startHead(host);
  sendWaiting(host);
  finishIfIdle(host);
}

function handleStart(host: State, reply: SentReply): void {
  const { childState } = host;
  if (childState?.phase !== 'starting') return;
  if (reply.kind === 'error') {
    failStart(host, childState, new HostError(reply.meta as ThrownError));
    return;
  }
  clearTimeout(childState.timer);
  childState.phase = 'ready';
  startIdleTimer(host, host.options.idleMs ?? IDLE_MS);
  sendWaiting(host);
  finishIfIdle(host);
}

/** Rejects all waiting calls with the cause. The next call starts a new child. */
function failStart(host: State, childState: ChildState, error: Error): void {
  for (const call of host.waiting.splice(0)) rejectCall(call, error);
  killChild(childState);
}

function handleProvisional(host: State, sequence: number, reply: SentReply): void {
  const [head] = host.sentCalls;
  if (head?.sequence !== sequence || isAborted(head)) return;
  head.provisional = reply;
  expireIn(host, head, Math.min(reply.deadlineMs, remainingMs(head)));
}

function handleProgress({ sentCalls: [head] }: State, sequence: number, { meta }: SentReply): void {
  if (head?.sequence === sequence) head.options.onProgress?.(meta);
}

/** `setImmediate` lets a reply that is already in the pipe be read before the call expires. */
function expireIn(host: State, call: Call, ms: number): void {
  clearTimeout(call.timer);
  call.timer = startTimer(() => setImmediate(() => expire(host, call)), ms);
}

function expire(host: State, call: Call): void {
  const { childState } = host;
  if (childState?.phase !== 'ready' || !host.sentCalls.includes(call)) return;
  if (call.provisional && !isAborted(call)) resolveCall(call, call.provisional);
  childState.expiredCall = call;
  killChild(childState);
}

function abort(host: State, call: Call): void {
  if (call.sequence > 0) {
    host.childState?.child.cancel(call.sequence);
    if (call === host.sentCalls[0] && call.options.killOnAbort !== false)
      expireIn(host, call, Math.min(CANCEL_LIMIT_MS, remainingMs(call)));
    return;
  }
  host.waiting.splice(host.waiting.indexOf(call), 1);
  rejectAborted(call);
  finishIfIdle(host);
}

function handleCancelResponse(host: State, sequence: number, isRemoved: boolean): void {
  const call = host.sentCalls.find((sent) => sent.sequence === sequence);
  if (!call) return;
  if (isRemoved || call.options.killOnAbort === false) rejectAborted(call);
  else expireIn(host, call, ABORT_GRACE_MS);
}

function handleExit(host: State, childState: ChildState, exit: ChildExit): void {
  clearTimeout(childState.timer);
  clearTimeout(host.idleTimer);
  host.childState = undefined;
  if (exit.isStuck) host.stuckChild = childState.child;
  const [head, ...queuedCalls] = host.sentCalls;
  host.sentCalls = [];
  if (head) rejectKilled(host, head, { exit, isExpired: head === childState.expiredCall });
  host.waiting.unshift(...queuedCalls.filter(canBeSentAgain));
  if (childState.phase !== 'leaving') countCrash(host, childState, exit);
  if (childState.expiredCall && !host.closed && !exit.isStuck) host.childState = startChild(host);
  sendWaiting(host);
  finishIfIdle(host);
}

interface KilledChild {
  readonly exit: ChildExit;
  readonly isExpired: boolean;
}

function rejectKilled(host: State, call: Call, { exit, isExpired }: KilledChild): void {
  clearTimeout(call.timer);
  if (isAborted(call)) rejectAborted(call);
  else if (exit.isStuck) rejectCall(call, new HostStuckError(true));
  else if (isExpired) rejectCall(call, new HostTimeoutError(call.options.limitMs ?? 0));
  else rejectCall(call, new HostCrashError(exit, host.options.name));
}

/** The child had not started this call: it replies to a request before it starts the next. */
function canBeSentAgain(call: Call): boolean {
  clearTimeout(call.timer);
  Object.assign(call, { sequence: 0, timer: undefined });
  if (isAborted(call)) rejectAborted(call);
  return !call.isSettled;
}

function countCrash(host: State, childState: ChildState, exit: ChildExit): void {
  host.crashes = childState.hasReplied ? 0 : host.crashes + 1;
  if (host.crashes < MAX_CRASHES) return;
  host.crashes = 0;
  for (const call of host.waiting.splice(0))
    rejectCall(call, new HostCrashError(exit, host.options.name));
}

function killChild(childState: ChildState): void {
  clearTimeout(childState.timer);
  childState.phase = 'leaving';
  childState.child.kill();
}

function killAll(host: State, reason: unknown): void {
  for (const call of [...host.sentCalls, ...host.waiting.splice(0)]) {
    clearTimeout(call.timer);
    rejectCall(call, reason);
  }
  if (host.childState) killChild(host.childState);
}

function endChild(childState: ChildState): void {
  clearTimeout(childState.timer);
  childState.phase = 'leaving';
  childState.child.end();
  childState.timer = startTimer(() => childState.child.kill(), END_LIMIT_MS);
  childState.timer.unref();
}

/** Rechecks after the remaining idle time, so that calls do not reset a timer. */
function startIdleTimer(host: State, ms: number): void {
  host.idleTimer = startTimer(() => {
    const { childState, options } = host;
    const leftMs = (options.idleMs ?? IDLE_MS) - (performance.now() - host.lastUsedAt);
    if (host.keepAlive) startIdleTimer(host, options.idleMs ?? IDLE_MS);
    else if (leftMs > 1) startIdleTimer(host, leftMs);
    else if (childState?.phase === 'ready') endChild(childState);
  }, ms);
  host.idleTimer.unref();
}

function finishIfIdle(host: State): void {
  if (host.waiting.length + host.sentCalls.length > 0) return;
  host.lastUsedAt = performance.now();
  if (host.closed) finishClosing(host, host.closed);
  else releaseEventLoop(host);
}

function releaseEventLoop(host: State): void {
  host.keepAlive?.release();
  host.keepAlive = undefined;
}

function finishClosing(host: State, closed: PromiseWithResolvers<void>): void {
  if (host.childState) {
    if (host.childState.phase !== 'leaving') endChild(host.childState);
    return;
  }
  releaseEventLoop(host);
  closed.resolve();
}

function close(host: State): Promise<void> {
  if (!host.closed) {
    host.closed = Promise.withResolvers();
    host.keepAlive ??= holdEventLoop();
    const timer = startTimer(() => killAll(host, new HostClosedError()), CLOSE_LIMIT_MS);
    void host.closed.promise.then(() => clearTimeout(timer));
    finishIfIdle(host);
  }
  return host.closed.promise;
}
