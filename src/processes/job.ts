/** One-shot jobs. Each runs in its own child process, with pipes for input and output data. */
import type { ChildExit } from './errors.ts';
import { holdEventLoop, startTimer } from './timers.ts';
import { HostClosedError, HostStuckError } from './errors.ts';
import { spawnModule } from './spawn-module.ts';
import type { SpawnOptions, SpawnedModule } from './spawn-module.ts';
import { runJob } from './run-job.ts';
import type { Job, JobOptions, Runner } from './run-job.ts';

export { HostCrashError, HostError, HostTimeoutError } from './errors.ts';
export type { Job, JobOptions };

export interface JobsOptions extends SpawnOptions {
  /** The child's name in error messages. */
  readonly name?: string;
  /** Whether to keep an idle child ready after a job. */
  readonly spare: boolean;
  /** The spare exits after this time without a job. */
  readonly idleMs?: number;
}

export interface Jobs {
  /** Resolves with the first byte of output or the result. Rejects if the job fails before. */
  readonly run: (request: unknown, options?: JobOptions) => Promise<Job>;
  /** Rejects new jobs, kills running ones, and resolves when all children have exited or are stuck. */
  readonly close: () => Promise<void>;
}

interface State {
  readonly options: JobsOptions;
  /** All children, including the spare. */
  readonly runners: Set<Runner>;
  readonly running: Set<Job>;
  /** Killed children that still exist. */
  readonly stuck: Set<SpawnedModule>;
  spare: Runner | undefined;
  spareTimer: NodeJS.Timeout | undefined;
  isClosed: boolean;
}

const PIPES = 5;
const IDLE_MS = 60_000;
/** With so many, no other child starts: it would only wait for the same disk. */
const MAX_STUCK = 4;

export function createJobs(options: JobsOptions): Jobs {
  const jobs: State = {
    options,
    runners: new Set(),
    running: new Set(),
    stuck: new Set(),
    spare: undefined,
    spareTimer: undefined,
    isClosed: false,
  };
  return {
    run: async (request, jobOptions = {}) => await run(jobs, request, jobOptions),
    close: async () => await close(jobs),
  };
}

async function run(jobs: State, request: unknown, options: JobOptions): Promise<Job> {
  options.signal?.throwIfAborted();
  if (jobs.isClosed) throw new HostClosedError();
  for (const module of jobs.stuck) if (module.hasExited()) jobs.stuck.delete(module);
  if (jobs.stuck.size >= MAX_STUCK) throw new HostStuckError(false);
  const payload = Buffer.from(JSON.stringify(request ?? null));
  const { job, firstOutput } = runJob(takeRunner(jobs), {
    payload,
    options,
    name: jobs.options.name,
  });
  jobs.running.add(job);
  const removeJob = (): void => {
    jobs.running.delete(job);
    keepSpare(jobs);
  };
  job.result.then(removeJob, removeJob);
  await Promise.race([firstOutput, job.result]);
  return job;
}

function takeRunner(jobs: State): Runner {
  const runner = jobs.spare ?? startRunner(jobs);
  jobs.spare = undefined;
  clearTimeout(jobs.spareTimer);
  return runner;
}

function startRunner(jobs: State): Runner {
  const { promise: exited, resolve } = Promise.withResolvers<ChildExit>();
  const onExit = (exit: ChildExit): void => {
    jobs.runners.delete(runner);
    if (exit.isStuck && runner.module) jobs.stuck.add(runner.module);
    if (jobs.spare === runner) jobs.spare = undefined;
    resolve(exit);
  };
  const runner: Runner = { module: spawnModule(jobs.options, { pipes: PIPES, onExit }), exited };
  jobs.runners.add(runner);
  return runner;
}

/** Starts the spare after a job, not during one, so that it does not compete for CPU and memory. */
function keepSpare(jobs: State): void {
  if (!jobs.options.spare || jobs.isClosed) return;
  const spare = (jobs.spare ??= startRunner(jobs));
  clearTimeout(jobs.spareTimer);
  jobs.spareTimer = startTimer(() => spare.module?.kill(), jobs.options.idleMs ?? IDLE_MS);
  jobs.spareTimer.unref();
}

async function close(jobs: State): Promise<void> {
  jobs.isClosed = true;
  clearTimeout(jobs.spareTimer);
  jobs.spare?.module?.kill();
  for (const job of jobs.running) job.kill();
  const hold = holdEventLoop();
  await Promise.all([...jobs.runners].map(({ exited }) => exited));
  hold.release();
}
