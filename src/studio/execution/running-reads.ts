/**
 * Tracks long reads in the slow lanes, and jobs. A SQLite file that is not in WAL mode accepts no write
 * while it is read. There, reads of this studio are ended when a write has waited for them. Exports
 * are not ended, since their files must be complete: the error of the write names them.
 */
import { StudioError } from '../../model/errors.ts';
import type { BlockedWritesReason } from '../../model/database.ts';
import type { RunningJobHandle, PerformOptions, RunningJob } from './executor.ts';

/** SQLite waits this long for a lock, so an export that blocked a write has run at least about as long. */
const lockWaitMs = 4000;
/** A read must have begun this long before a write to be ended for it. Later reads may themselves wait for the write. */
const minLeadMs = 500;
/** From the second attempt of a write on, no read begins, so that the third attempt finds none running. */
const maxAttempts = 3;
/** The commit of a job waits this long for reads before they are ended. */
const commitWaitMs = 1000;

interface Read {
  readonly startedAt: number;
  end(blockReason: BlockedWritesReason): void;
}

interface Job extends RunningJob {
  readonly startedAt: number;
}

/** Returns why reads currently block writes to the database. Undefined if they do not. */
type BlockedWritesCheck = () => Promise<BlockedWritesReason | undefined>;

interface DescribedRead {
  /** For example `The read of "users"`. */
  readonly description: string;
  readonly options: PerformOptions;
}

export class RunningReads {
  readonly #whyReadsBlockWrites: BlockedWritesCheck;
  readonly #reads = new Set<Read>();
  readonly #jobs = new Set<Job>();
  /** The write that new reads wait for. */
  #writeBeforeReads: Promise<unknown> | undefined;
  #writes = 0;

  constructor(whyReadsBlockWrites: BlockedWritesCheck) {
    this.#whyReadsBlockWrites = whyReadsBlockWrites;
  }

  async runRead<T>(
    { description, options }: DescribedRead,
    work: (options: PerformOptions) => Promise<T>,
  ): Promise<T> {
    await this.#writeBeforeReads;
    const controller = new AbortController();
    const read: Read = {
      startedAt: performance.now(),
      end: (blockReason) => controller.abort(endedReadError(description, blockReason)),
    };
    const { signal = controller.signal } = options;
    this.#reads.add(read);
    try {
      return await work({ ...options, signal: AbortSignal.any([signal, controller.signal]) });
    } finally {
      this.#reads.delete(read);
    }
  }

  /** Performs a write. If it fails because reads of this studio block it, ends them and tries again. */
  async runWrite<T>(write: () => Promise<T>): Promise<T> {
    this.#writes += 1;
    try {
      for (let attempt = 1; attempt < maxAttempts; attempt += 1) {
        const since = performance.now() - minLeadMs;
        try {
          return await (attempt === 1 ? write() : this.#runBeforeReads(write()));
        } catch (error) {
          await this.#endReadsFor(error, since);
        }
      }
      return await this.#runBeforeReads(write());
    } finally {
      this.#writes -= 1;
    }
  }

  /** Registers a job, which runs until `end` is called. */
  addJob(job: RunningJob): RunningJobHandle {
    const running = { ...job, startedAt: performance.now() };
    this.#jobs.add(running);
    return {
      committing: (until) => void this.#endReadsForCommit(until),
      end: () => void this.#jobs.delete(running),
    };
  }

  /** Adds to the error of a locked database which operation or job of this studio holds the lock. */
  async explain(error: unknown, isWrite: boolean): Promise<unknown> {
    if (!isBusy(error) || completeErrors.has(error)) return error;
    const isWriting = this.#writes > 0;
    const whyReadsBlockWrites = this.#whyReadsBlockWrites;
    return explainBusyError(error, { jobs: this.#jobs, isWrite, isWriting, whyReadsBlockWrites });
  }

  async #endReadsFor(error: unknown, since: number): Promise<void> {
    const isBlocked =
      isBusy(error) && !isHeldByWriter(error) && longRunningExport(this.#jobs) === undefined;
    const blockReason =
      isBlocked && this.#reads.size > 0 ? await this.#whyReadsBlockWrites() : undefined;
    if (blockReason === undefined) throw error;
    this.#endReads(since, blockReason);
  }

  #endReads(since: number, blockReason: BlockedWritesReason): void {
    for (const read of this.#reads) if (read.startedAt <= since) read.end(blockReason);
  }

  /** Makes new reads wait for the work. Otherwise overlapping reads could block a write forever. */
  async #runBeforeReads<T>(work: Promise<T>): Promise<T> {
    const done = work.catch(() => undefined);
    this.#writeBeforeReads = done;
    try {
      return await work;
    } finally {
      if (this.#writeBeforeReads === done) this.#writeBeforeReads = undefined;
    }
  }

  async #endReadsForCommit(until: Promise<unknown>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<'waits'>();
    const timer = setTimeout(() => resolve('waits'), commitWaitMs);
    const done = until.then(
      () => 'done' as const,
      () => 'done' as const,
    );
    const state = await Promise.race([promise, done]);
    clearTimeout(timer);
    const blockReason = state === 'done' ? undefined : await this.#whyReadsBlockWrites();
    if (blockReason === undefined) return;
    this.#endReads(performance.now() - commitWaitMs, blockReason);
    await this.#runBeforeReads(done);
  }
}

function isBusy(error: unknown): error is StudioError {
  return error instanceof StudioError && error.code === 'database_busy';
}

/** Another writer holds the lock, so ending reads would not help. */
function isHeldByWriter({ details }: StudioError): boolean {
  return details['held_by'] === 'writer';
}

function longRunningExport(jobs: ReadonlySet<Job>): Job | undefined {
  const latest = performance.now() - lockWaitMs;
  return [...jobs].find(({ isWrite, startedAt }) => !isWrite && startedAt <= latest);
}

/** Errors that already explain the cause. */
const completeErrors = new WeakSet<StudioError>();

function endedReadError(description: string, { reason, remedy }: BlockedWritesReason): StudioError {
  const error = new StudioError(
    'database_busy',
    `${description} was ended because a write waited for it: ${reason}. Try again, read less at a time, or ${remedy}.`,
  );
  completeErrors.add(error);
  return error;
}

interface BusyState {
  readonly jobs: ReadonlySet<Job>;
  /** Whether the error is that of a write. */
  readonly isWrite: boolean;
  /** Whether a write is being performed. */
  readonly isWriting: boolean;
  readonly whyReadsBlockWrites: BlockedWritesCheck;
}

async function explainBusyError(
  error: StudioError,
  { jobs, isWrite, isWriting, whyReadsBlockWrites }: BusyState,
): Promise<StudioError> {
  const withMessage = (message: string): StudioError =>
    Object.assign(new StudioError(error.code, message, error.details), { cause: error });
  const importing = [...jobs].find((job) => job.isWrite);
  if (importing !== undefined)
    return withMessage(
      `This studio runs ${importing.description} at present.${isWrite ? ' Nothing was written.' : ''} Try again when it is done.`,
    );
  if (!isWrite && isWriting)
    return withMessage(
      'This studio is writing to the database at present. Try again when it is done.',
    );
  if (!isWrite || isHeldByWriter(error)) return error;
  const exporting = longRunningExport(jobs);
  const blockReason = exporting === undefined ? undefined : await whyReadsBlockWrites();
  if (exporting === undefined || blockReason === undefined) return error;
  return withMessage(
    `This studio runs ${exporting.description} at present, and ${blockReason.reason}. Nothing was written. ` +
      `Try again when it is done, or ${blockReason.remedy}.`,
  );
}
