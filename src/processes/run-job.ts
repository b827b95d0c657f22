/** The parent's side of one job: its input, its output and its result. */
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';

import { INPUT_FD, OUTPUT_FD, REPLIES_FD, REQUESTS_FD } from './descriptors.ts';
import { HostCrashError, HostError, HostStuckError, HostTimeoutError } from './errors.ts';
import type { ChildExit, ThrownError } from './errors.ts';
import { holdEventLoop, startTimer } from './timers.ts';
import { createFrameReader, frame } from './frames.ts';
import { decodeReply } from './replies.ts';
import type { SentReply } from './replies.ts';
import type { SpawnedModule } from './spawn-module.ts';

export interface JobOptions {
  readonly signal?: AbortSignal;
  /** Time limit of the whole job, including waits for input and for the reader of the output. */
  readonly limitMs?: number;
  /** Read only as fast as the job consumes it. The caller discards what the job has not read. */
  readonly input?: Readable;
  readonly onProgress?: (message: unknown) => void;
  /** Returns the error with which the output fails, from that of the result. */
  readonly toOutputError?: (error: unknown) => unknown;
}

export interface Job {
  /** Ends if the job succeeds and fails if it fails. The caller must read or destroy it; destroying it kills the job. */
  readonly output: Readable;
  /** Rejects with the same errors as a call of a child (`host.ts`). */
  readonly result: Promise<unknown>;
  /** Kills the child. `result` is rejected with the reason once the child has exited. */
  readonly kill: (reason?: unknown) => void;
}

/** A child that waits for a request or executes one. */
export interface Runner {
  /** Undefined if the process could not be started. */
  readonly module: SpawnedModule | undefined;
  readonly exited: Promise<ChildExit>;
}

interface JobPlan {
  readonly payload: Buffer;
  readonly options: JobOptions;
  readonly name: string | undefined;
}

interface StartedJob {
  readonly job: Job;
  /** Resolves with the first bytes of output. Stays pending if there are none. */
  readonly firstOutput: Promise<void>;
}

interface RunningJob extends PromiseWithResolvers<unknown> {
  readonly runner: Runner;
  readonly plan: JobPlan;
  isSettled: boolean;
  killReason: { readonly reason: unknown } | undefined;
}

const REQUEST = 1;

/** A process exits right after its reply, unless its threads or exit handlers do not end. */
const EXIT_LIMIT_MS = 5_000;

export function runJob(runner: Runner, plan: JobPlan): StartedJob {
  const runningJob: RunningJob = {
    ...Promise.withResolvers(),
    runner,
    plan,
    isSettled: false,
    killReason: undefined,
  };
  void runner.exited.then((exit) => settleWithoutReply(runningJob, exit));
  limitWork(runningJob);
  const { output, firstOutput } = openPipes(runningJob);
  return {
    firstOutput,
    job: { output, result: runningJob.promise, kill: (reason) => kill(runningJob, reason) },
  };
}

function openPipes(runningJob: RunningJob): { output: Readable; firstOutput: Promise<void> } {
  const { module } = runningJob.runner;
  if (!module) return { output: Readable.from([]), firstOutput: new Promise(() => {}) };
  readReplies(runningJob, module.pipe(REPLIES_FD));
  pipeInput(runningJob, module.pipe(INPUT_FD));
  module.pipe(REQUESTS_FD).write(frame(REQUEST, runningJob.plan.payload));
  return readOutput(runningJob, module.pipe(OUTPUT_FD));
}

function readReplies(runningJob: RunningJob, socket: Socket): void {
  const read = createFrameReader((_, payload) => handleReply(runningJob, decodeReply(payload)));
  socket.on('data', read);
}

function handleReply(runningJob: RunningJob, { kind, meta }: SentReply): void {
  if (kind === 'progress') {
    runningJob.plan.options.onProgress?.(meta);
    return;
  }
  runningJob.isSettled = true;
  limitExit(runningJob.runner);
  if (kind === 'error') runningJob.reject(new HostError(meta as ThrownError));
  else runningJob.resolve(meta);
}

function settleWithoutReply(runningJob: RunningJob, exit: ChildExit): void {
  runningJob.isSettled = true;
  if (exit.isStuck && runningJob.killReason?.reason instanceof HostTimeoutError)
    runningJob.reject(new HostStuckError(true));
  else if (runningJob.killReason) runningJob.reject(runningJob.killReason.reason);
  else runningJob.reject(new HostCrashError(exit, runningJob.plan.name));
}

function limitExit({ module, exited }: Runner): void {
  const timer = startTimer(() => module?.kill(), EXIT_LIMIT_MS).unref();
  void exited.then(() => clearTimeout(timer));
}

/** A settled job exits by itself. */
function kill(runningJob: RunningJob, reason: unknown = new Error('The job was killed.')): void {
  if (runningJob.isSettled) return;
  runningJob.killReason ??= { reason };
  runningJob.runner.module?.kill();
}

function limitWork(runningJob: RunningJob): void {
  const { signal, limitMs } = runningJob.plan.options;
  const onAbort = (): void => kill(runningJob, signal?.reason);
  signal?.addEventListener('abort', onAbort);
  const timer =
    limitMs === undefined
      ? undefined
      : startTimer(() => kill(runningJob, new HostTimeoutError(limitMs)), limitMs);
  const stop = (): void => {
    signal?.removeEventListener('abort', onAbort);
    clearTimeout(timer);
  };
  runningJob.promise.then(stop, stop);
}

function pipeInput(runningJob: RunningJob, socket: Socket): void {
  const { input } = runningJob.plan.options;
  if (!input) {
    socket.end();
    return;
  }
  const stopUnlessEnded = (): void => {
    if (!input.readableEnded)
      kill(runningJob, input.errored ?? new Error('The input was truncated.'));
  };
  if (input.destroyed) stopUnlessEnded();
  input.on('error', (error) => kill(runningJob, error));
  input.on('close', stopUnlessEnded);
  input.pipe(socket);
}

function readOutput(
  runningJob: RunningJob,
  socket: Socket,
): { output: Readable; firstOutput: Promise<void> } {
  const { promise: firstOutput, resolve: markFirstOutput } = Promise.withResolvers<void>();
  const output = new Readable({
    read: () => void socket.resume(),
    destroy(error, done) {
      kill(runningJob, error ?? undefined);
      socket.destroy();
      done(error);
    },
  });
  socket.on('data', (chunk: Buffer) => {
    markFirstOutput();
    if (!output.push(chunk)) socket.pause();
  });
  keepAliveUntilRead(runningJob, socket);
  endWithResult(runningJob, socket, output);
  return { output, firstOutput };
}

/** The end of the pipe alone does not distinguish success from a crash. */
function endWithResult(runningJob: RunningJob, socket: Socket, output: Readable): void {
  const isRead = new Promise((resolve) => void socket.on('close', resolve));
  Promise.all([runningJob.promise, isRead]).then(
    () => output.push(null),
    (error: unknown) =>
      output.destroy((runningJob.plan.options.toOutputError?.(error) ?? error) as Error),
  );
  // Callers that only await the result get the error there.
  output.on('error', () => undefined);
}

/** The pipe may still contain data after the child has exited. */
function keepAliveUntilRead({ runner }: RunningJob, socket: Socket): void {
  const hold = holdEventLoop();
  const isRead = new Promise((resolve) => void socket.on('close', resolve));
  void Promise.all([runner.exited, isRead]).then(hold.release);
}
