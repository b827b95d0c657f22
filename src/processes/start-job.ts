/** One job in its child: bytes in, bytes out, and how it ended. */
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';

import { INPUT_FD, OUTPUT_FD, REPLIES_FD, REQUESTS_FD } from './descriptors.ts';
import { HostCrashError, HostError, HostTimeoutError } from './errors.ts';
import type { Ending, ThrownError } from './errors.ts';
import { holdEventLoop, startTimer } from './timers.ts';
import { createFrameReader, frame } from './frames.ts';
import { decodeReply } from './replies.ts';
import type { SentReply } from './replies.ts';
import type { SpawnedModule } from './spawn-module.ts';

export interface JobOptions {
  readonly signal?: AbortSignal;
  /** For all of the job, the waits for input and for the reader of its output included. */
  readonly limitMs?: number;
  /** Read as fast as the job reads it; what the job leaves unread stays with the caller. */
  readonly input?: Readable;
  readonly onProgress?: (message: unknown) => void;
}

export interface Job {
  /** Ends when the job has succeeded, fails when it fails. To be read or destroyed; that kills the job. */
  readonly output: Readable;
  /** Rejects like a host's call. */
  readonly result: Promise<unknown>;
  /** Rejects `result` with the reason, once the child is gone. */
  readonly kill: (reason?: unknown) => void;
}

/** A child that waits for its order or works on it. */
export interface Runner {
  /** Undefined when it could not be started. */
  readonly module: SpawnedModule | undefined;
  readonly gone: Promise<Ending>;
}

interface JobPlan {
  readonly payload: Buffer;
  readonly options: JobOptions;
  readonly name: string | undefined;
}

interface StartedJob {
  readonly job: Job;
  /** Resolves with the first bytes of output, or never. */
  readonly begun: Promise<void>;
}

interface Work extends PromiseWithResolvers<unknown> {
  readonly runner: Runner;
  readonly plan: JobPlan;
  isSettled: boolean;
  killedFor: { readonly reason: unknown } | undefined;
}

const ORDER = 1;

export function startJob(runner: Runner, plan: JobPlan): StartedJob {
  const work: Work = {
    ...Promise.withResolvers(),
    runner,
    plan,
    isSettled: false,
    killedFor: undefined,
  };
  void runner.gone.then((ending) => settleWithoutReply(work, ending));
  limitWork(work);
  const { output, begun } = openPipes(work);
  return { begun, job: { output, result: work.promise, kill: (reason) => kill(work, reason) } };
}

function openPipes(work: Work): { output: Readable; begun: Promise<void> } {
  const { module } = work.runner;
  if (!module) return { output: Readable.from([]), begun: new Promise(() => {}) };
  readReplies(work, module.pipe(REPLIES_FD));
  feedInput(work, module.pipe(INPUT_FD));
  module.pipe(REQUESTS_FD).write(frame(ORDER, work.plan.payload));
  return readOutput(work, module.pipe(OUTPUT_FD));
}

function readReplies(work: Work, socket: Socket): void {
  const read = createFrameReader((_, payload) => takeReply(work, decodeReply(payload)));
  socket.on('data', read);
}

function takeReply(work: Work, { kind, meta }: SentReply): void {
  if (kind === 'progress') {
    work.plan.options.onProgress?.(meta);
    return;
  }
  work.isSettled = true;
  if (kind === 'error') work.reject(new HostError(meta as ThrownError));
  else work.resolve(meta);
}

function settleWithoutReply(work: Work, ending: Ending): void {
  work.isSettled = true;
  if (work.killedFor) work.reject(work.killedFor.reason);
  else work.reject(new HostCrashError(ending, work.plan.name));
}

/** A job that has settled ends by itself. */
function kill(work: Work, reason: unknown = new Error('The job was killed.')): void {
  if (work.isSettled) return;
  work.killedFor ??= { reason };
  work.runner.module?.kill();
}

function limitWork(work: Work): void {
  const { signal, limitMs } = work.plan.options;
  const onAbort = (): void => kill(work, signal?.reason);
  signal?.addEventListener('abort', onAbort);
  const timer =
    limitMs === undefined
      ? undefined
      : startTimer(() => kill(work, new HostTimeoutError(limitMs)), limitMs);
  const stop = (): void => {
    signal?.removeEventListener('abort', onAbort);
    clearTimeout(timer);
  };
  work.promise.then(stop, stop);
}

function feedInput(work: Work, socket: Socket): void {
  const { input } = work.plan.options;
  if (!input) {
    socket.end();
    return;
  }
  const stopUnlessEnded = (): void => {
    if (!input.readableEnded) kill(work, input.errored ?? new Error('The input was cut off.'));
  };
  if (input.destroyed) stopUnlessEnded();
  input.on('error', (error) => kill(work, error));
  input.on('close', stopUnlessEnded);
  input.pipe(socket);
}

function readOutput(work: Work, socket: Socket): { output: Readable; begun: Promise<void> } {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const output = new Readable({
    read: () => void socket.resume(),
    destroy(error, done) {
      kill(work, error ?? undefined);
      socket.destroy();
      done(error);
    },
  });
  socket.on('data', (chunk: Buffer) => {
    begin();
    if (!output.push(chunk)) socket.pause();
  });
  holdUntilRead(work, socket);
  endWithResult(work, socket, output);
  return { output, begun };
}

/** The pipe's own end does not tell success from a crash. */
function endWithResult(work: Work, socket: Socket, output: Readable): void {
  const isRead = new Promise((resolve) => void socket.on('close', resolve));
  Promise.all([work.promise, isRead]).then(
    () => output.push(null),
    (error: Error) => output.destroy(error),
  );
  // Whoever waits for the result alone hears of it there.
  output.on('error', () => undefined);
}

/** The pipe still has bytes when the child is gone. */
function holdUntilRead({ runner }: Work, socket: Socket): void {
  const hold = holdEventLoop();
  const isRead = new Promise((resolve) => void socket.on('close', resolve));
  void Promise.all([runner.gone, isRead]).then(hold.release);
}
