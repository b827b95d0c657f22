/** One-shot jobs: a child process for each, with bulk bytes in and out over pipes of their own. */
import type { Ending } from './errors.ts';
import { holdEventLoop, startTimer } from './timers.ts';
import { spawnModule } from './spawn-module.ts';
import type { SpawnOptions } from './spawn-module.ts';
import { startJob } from './start-job.ts';
import type { Job, JobOptions, Runner } from './start-job.ts';

export { HostCrashError, HostError, HostTimeoutError } from './errors.ts';
export type { Job, JobOptions };

export interface JobsOptions extends SpawnOptions {
  /** What messages call a child. */
  readonly name?: string;
  /** Whether a child is kept ready once a job has been done. */
  readonly spare: boolean;
  /** How long the spare waits for a job before it ends. */
  readonly idleMs?: number;
}

export interface Jobs {
  /** Resolves with the first bytes of output or the result; rejects when the job fails before. */
  readonly run: (order: unknown, options?: JobOptions) => Promise<Job>;
  /** Takes no more jobs, kills those that run, and resolves when their children are gone. */
  readonly close: () => Promise<void>;
}

interface State {
  readonly options: JobsOptions;
  /** Also the spare. */
  readonly runners: Set<Runner>;
  readonly running: Set<Job>;
  spare: Runner | undefined;
  spareTimer: NodeJS.Timeout | undefined;
  isClosed: boolean;
}

const PIPES = 5;
const IDLE_MS = 60_000;

export function createJobs(options: JobsOptions): Jobs {
  const jobs: State = {
    options,
    runners: new Set(),
    running: new Set(),
    spare: undefined,
    spareTimer: undefined,
    isClosed: false,
  };
  return {
    run: async (order, jobOptions = {}) => await run(jobs, order, jobOptions),
    close: async () => await close(jobs),
  };
}

async function run(jobs: State, order: unknown, options: JobOptions): Promise<Job> {
  if (jobs.isClosed) throw new Error('No more jobs are taken.');
  options.signal?.throwIfAborted();
  const payload = Buffer.from(JSON.stringify(order ?? null));
  const { job, begun } = startJob(takeRunner(jobs), { payload, options, name: jobs.options.name });
  jobs.running.add(job);
  const forget = (): void => {
    jobs.running.delete(job);
    keepSpare(jobs);
  };
  job.result.then(forget, forget);
  await Promise.race([begun, job.result]);
  return job;
}

function takeRunner(jobs: State): Runner {
  const runner = jobs.spare ?? startRunner(jobs);
  jobs.spare = undefined;
  clearTimeout(jobs.spareTimer);
  return runner;
}

function startRunner(jobs: State): Runner {
  const { promise: gone, resolve } = Promise.withResolvers<Ending>();
  const runner = { module: spawnModule(jobs.options, { pipes: PIPES, onGone: resolve }), gone };
  jobs.runners.add(runner);
  void gone.finally(() => {
    jobs.runners.delete(runner);
    if (jobs.spare === runner) jobs.spare = undefined;
  });
  return runner;
}

/** Only when a job is over, so as to take neither processor nor memory from it. */
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
  await Promise.all([...jobs.runners].map(({ gone }) => gone));
  hold.release();
}
