/** Long-lived child processes that answer requests one at a time, in order, and can be killed. */
import {
  conclude,
  createCall,
  isAborted,
  rejectAborted,
  rejectCall,
  remainingMs,
  resolveCall,
} from './call.ts';
import type { Call, CallOptions } from './call.ts';
import { HostCrashError, HostError, HostTimeoutError } from './errors.ts';
import type { Ending, ThrownError } from './errors.ts';
import { holdEventLoop, startTimer } from './timers.ts';
import type { EventLoopHold } from './timers.ts';
import { START } from './frames.ts';
import { startHostChild } from './host-child.ts';
import type { HostChild } from './host-child.ts';
import type { Reply, SentReply } from './replies.ts';
import type { SpawnOptions } from './spawn-module.ts';
import { MOST_IN_CHILD } from './turns.ts';

export { HostCrashError, HostError, HostTimeoutError } from './errors.ts';
export type { CallOptions, Reply };

export interface HostOptions extends SpawnOptions {
  /** What messages call the child. */
  readonly name?: string;
  /** JSON for the child's `start`. Credentials belong here, never in arguments or environment. */
  readonly start: unknown;
  /** The child ends after this time without a call, and starts again with the next one. */
  readonly idleMs?: number;
  readonly startLimitMs?: number;
}

export interface Host {
  /**
   * Rejects with HostError (the child's code threw), HostTimeoutError, HostCrashError or the
   * signal's reason. A call that has been settled no longer runs, unless killOnAbort is false.
   */
  readonly call: (message: unknown, options?: CallOptions) => Promise<Reply>;
  /** Calls that have not been answered, the running one included. */
  readonly queued: number;
  /** How long the running call has been running; 0 when none is. */
  readonly busyMs: number;
  /** Whether there is a child. */
  readonly running: boolean;
  /** Rejects every call with the reason and kills the child. The host stays usable. */
  readonly kill: (reason: unknown) => void;
  /** Takes no more calls, waits for those it has, for a while, and ends the child. */
  readonly close: () => Promise<void>;
}

/** One life of the child. */
interface Life {
  readonly child: HostChild;
  phase: 'starting' | 'ready' | 'leaving';
  nextSequence: number;
  hasAnswered: boolean;
  /** The call that the child is killed for. */
  condemned: Call | undefined;
  /** Ends a start, or an end, that takes too long. */
  timer: NodeJS.Timeout | undefined;
}

interface State {
  readonly options: HostOptions;
  readonly start: Buffer;
  /** In the parent, in order. */
  readonly waiting: Call[];
  /** In the child, in order: the first is the one that runs. */
  sent: Call[];
  life: Life | undefined;
  /** Children in a row that ended by themselves without having answered anything. */
  crashes: number;
  lastUsedAt: number;
  idleTimer: NodeJS.Timeout | undefined;
  /** Keeps the event loop alive while there is something to wait for. */
  keepAlive: EventLoopHold | undefined;
  closed: PromiseWithResolvers<void> | undefined;
}

const IDLE_MS = 60_000;
const START_LIMIT_MS = 30_000;
const END_LIMIT_MS = 5_000;
const MOST_CRASHES = 3;
/** A child that does not answer a cancel by then is stopped or stuck. */
const CANCEL_LIMIT_MS = 5_000;
/** Calls that still run this long after the host was closed are ended with their child. */
const CLOSE_LIMIT_MS = 10_000;
/** An aborted call that ends this soon costs no new child. */
const ABORT_GRACE_MS = 10;

/** The child starts with the first call. */
export function createHost(options: HostOptions): Host {
  const host: State = {
    options,
    start: Buffer.from(JSON.stringify(options.start ?? null)),
    waiting: [],
    sent: [],
    life: undefined,
    crashes: 0,
    lastUsedAt: 0,
    idleTimer: undefined,
    keepAlive: undefined,
    closed: undefined,
  };
  return {
    call: async (message, callOptions = {}) => await submit(host, message, callOptions),
    get queued() {
      return host.waiting.length + host.sent.length;
    },
    get running() {
      return host.life !== undefined;
    },
    get busyMs() {
      return host.sent[0] ? performance.now() - host.sent[0].begunAt : 0;
    },
    kill: (reason) => killAll(host, reason),
    close: async () => await close(host),
  };
}

function submit(host: State, message: unknown, options: CallOptions): Promise<Reply> {
  if (host.closed) throw new Error('The host is closed.');
  const [call, promise] = createCall({ message, options, onAbort: (it) => abort(host, it) });
  host.waiting.push(call);
  host.keepAlive ??= holdEventLoop();
  pump(host);
  return promise;
}

/** Sends what may be sent, to a child that is started if need be. */
function pump(host: State): void {
  if (host.waiting.length === 0) return;
  host.life ??= startLife(host);
  if (host.life.phase !== 'ready') return;
  while (host.sent.length < MOST_IN_CHILD) {
    const call = host.waiting.shift();
    if (!call) return;
    send(host, host.life, call);
  }
}

function startLife(host: State): Life {
  const life: Life = {
    child: startHostChild(host.options, {
      onReply: (sequence, reply) => takeReply(host, sequence, reply),
      onCancelAnswer: (sequence, isRemoved) => {
        // The life line can still speak when the child is gone and the next one is there.
        if (host.life === life) takeCancelAnswer(host, sequence, isRemoved);
      },
      onGone: (ending) => takeEnding(host, life, ending),
    }),
    phase: 'starting',
    nextSequence: 1,
    hasAnswered: false,
    condemned: undefined,
    timer: undefined,
  };
  const limitMs = host.options.startLimitMs ?? START_LIMIT_MS;
  life.timer = startTimer(() => failStart(host, life, new HostTimeoutError(limitMs)), limitMs);
  life.timer.unref();
  life.child.send(START, host.start);
  return life;
}

function send(host: State, life: Life, call: Call): void {
  call.sequence = life.nextSequence;
  // 32 bits on the wire, and 0 is the start.
  life.nextSequence = (life.nextSequence + 1) >>> 0 || 1;
  life.child.send(call.sequence, call.payload);
  if (host.sent.push(call) === 1) beginHead(host);
}

/** The child has nothing else left to do before this call. */
function beginHead(host: State): void {
  const [head] = host.sent;
  if (!head) return;
  head.begunAt = performance.now();
  if (head.options.limitMs !== undefined && !head.timer) expireIn(host, head, head.options.limitMs);
}

function takeReply(host: State, sequence: number, reply: SentReply): void {
  if (sequence === START) return takeStart(host, reply);
  if (reply.kind === 'provisional') return takeProvisional(host, sequence, reply);
  const call = host.sent.shift();
  if (host.life) host.life.hasAnswered = true;
  if (call) {
    clearTimeout(call.timer);
    conclude(call, reply);
  }
  beginHead(host);
  pump(host);
  restIfIdle(host);
}

function takeStart(host: State, reply: SentReply): void {
  const { life } = host;
  if (life?.phase !== 'starting') return;
  if (reply.kind === 'error') {
    failStart(host, life, new HostError(reply.meta as ThrownError));
    return;
  }
  clearTimeout(life.timer);
  life.phase = 'ready';
  watchIdleness(host, host.options.idleMs ?? IDLE_MS);
  pump(host);
  restIfIdle(host);
}

/** All who waited for the start learn why it failed; the next call tries again. */
function failStart(host: State, life: Life, error: Error): void {
  for (const call of host.waiting.splice(0)) rejectCall(call, error);
  killLife(life);
}

function takeProvisional(host: State, sequence: number, reply: SentReply): void {
  const [head] = host.sent;
  if (head?.sequence !== sequence || isAborted(head)) return;
  head.provisional = reply;
  expireIn(host, head, Math.min(reply.deadlineMs, remainingMs(head)));
}

/** A reply that lies in the pipe already counts: it is read before the immediate runs. */
function expireIn(host: State, call: Call, ms: number): void {
  clearTimeout(call.timer);
  call.timer = startTimer(() => setImmediate(() => expire(host, call)), ms);
}

function expire(host: State, call: Call): void {
  const { life } = host;
  if (life?.phase !== 'ready' || !host.sent.includes(call)) return;
  if (call.provisional && !isAborted(call)) resolveCall(call, call.provisional);
  life.condemned = call;
  killLife(life);
}

function abort(host: State, call: Call): void {
  if (call.sequence > 0) {
    host.life?.child.cancel(call.sequence);
    if (call === host.sent[0] && call.options.killOnAbort !== false)
      expireIn(host, call, Math.min(CANCEL_LIMIT_MS, remainingMs(call)));
    return;
  }
  host.waiting.splice(host.waiting.indexOf(call), 1);
  rejectAborted(call);
  restIfIdle(host);
}

function takeCancelAnswer(host: State, sequence: number, isRemoved: boolean): void {
  const call = host.sent.find((sent) => sent.sequence === sequence);
  if (!call) return;
  if (isRemoved || call.options.killOnAbort === false) rejectAborted(call);
  else expireIn(host, call, ABORT_GRACE_MS);
}

function takeEnding(host: State, life: Life, ending: Ending): void {
  clearTimeout(life.timer);
  clearTimeout(host.idleTimer);
  host.life = undefined;
  const [head, ...behind] = host.sent;
  host.sent = [];
  if (head) concludeKilled(host, head, { ending, isCondemned: head === life.condemned });
  host.waiting.unshift(...behind.filter(canBeSentAgain));
  if (life.phase !== 'leaving') countCrash(host, life, ending);
  if (life.condemned && !host.closed) host.life = startLife(host);
  pump(host);
  restIfIdle(host);
}

interface Killed {
  readonly ending: Ending;
  readonly isCondemned: boolean;
}

function concludeKilled(host: State, call: Call, { ending, isCondemned }: Killed): void {
  clearTimeout(call.timer);
  if (isAborted(call)) rejectAborted(call);
  else if (isCondemned) rejectCall(call, new HostTimeoutError(call.options.limitMs ?? 0));
  else rejectCall(call, new HostCrashError(ending, host.options.name));
}

/** The child had not begun it: it writes one reply before it begins the next request. */
function canBeSentAgain(call: Call): boolean {
  clearTimeout(call.timer);
  Object.assign(call, { sequence: 0, timer: undefined });
  if (isAborted(call)) rejectAborted(call);
  return !call.isSettled;
}

function countCrash(host: State, life: Life, ending: Ending): void {
  host.crashes = life.hasAnswered ? 0 : host.crashes + 1;
  if (host.crashes < MOST_CRASHES) return;
  host.crashes = 0;
  for (const call of host.waiting.splice(0))
    rejectCall(call, new HostCrashError(ending, host.options.name));
}

function killLife(life: Life): void {
  clearTimeout(life.timer);
  life.phase = 'leaving';
  life.child.kill();
}

function killAll(host: State, reason: unknown): void {
  for (const call of [...host.sent, ...host.waiting.splice(0)]) {
    clearTimeout(call.timer);
    rejectCall(call, reason);
  }
  if (host.life) killLife(host.life);
}

function endLife(life: Life): void {
  clearTimeout(life.timer);
  life.phase = 'leaving';
  life.child.end();
  life.timer = startTimer(() => life.child.kill(), END_LIMIT_MS);
  life.timer.unref();
}

/** Looks again when the time could be over: a call costs no timer of its own. */
function watchIdleness(host: State, ms: number): void {
  host.idleTimer = startTimer(() => {
    const { life, options } = host;
    const leftMs = (options.idleMs ?? IDLE_MS) - (performance.now() - host.lastUsedAt);
    if (host.keepAlive) watchIdleness(host, options.idleMs ?? IDLE_MS);
    else if (leftMs > 1) watchIdleness(host, leftMs);
    else if (life?.phase === 'ready') endLife(life);
  }, ms);
  host.idleTimer.unref();
}

function restIfIdle(host: State): void {
  if (host.waiting.length + host.sent.length > 0) return;
  host.lastUsedAt = performance.now();
  if (host.closed) finishClosing(host, host.closed);
  else letGo(host);
}

function letGo(host: State): void {
  host.keepAlive?.release();
  host.keepAlive = undefined;
}

function finishClosing(host: State, closed: PromiseWithResolvers<void>): void {
  if (host.life) {
    if (host.life.phase !== 'leaving') endLife(host.life);
    return;
  }
  letGo(host);
  closed.resolve();
}

function close(host: State): Promise<void> {
  if (!host.closed) {
    host.closed = Promise.withResolvers();
    host.keepAlive ??= holdEventLoop();
    const reason = new Error('The host was closed.');
    const timer = startTimer(() => killAll(host, reason), CLOSE_LIMIT_MS);
    void host.closed.promise.then(() => clearTimeout(timer));
    restIfIdle(host);
  }
  return host.closed.promise;
}
