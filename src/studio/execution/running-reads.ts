/**
 * Long reads in the slow lanes, and jobs. Some databases take no write while anybody reads (a SQLite
 * file without a write-ahead log). There, reads of the studio itself end when a write has waited for
 * them. Exports and imports do not end, since their files must be whole: the write's error names them.
 */
import { StudioError } from '../../model/errors.ts';
import type { ReadsBlockWrites } from '../../model/database.ts';
import type { JobNotes, PerformOptions, RunningJob } from './executor.ts';

/** SQLite waits this long for a lock: an export that held up a write has run almost as long at least. */
const lockWaitMs = 4000;
/** Reads that began together with a write may themselves wait for it: they are not ended at its first attempt. */
const leastLeadMs = 500;
/** From the second attempt on no read begins, so that the third one finds none. */
const mostAttempts = 3;
/** A commit of a job may wait this long for reads before they are ended. */
const commitWaitMs = 1000;

interface Read {
  readonly startedAt: number;
  end(obstacle: ReadsBlockWrites): void;
}

interface Job extends RunningJob {
  readonly startedAt: number;
}

/** How reads keep the database from being written at present; undefined where they do not. */
type Obstacle = () => Promise<ReadsBlockWrites | undefined>;

interface NamedRead {
  /** "The read of "users"" */
  readonly what: string;
  readonly options: PerformOptions;
}

export class RunningReads {
  readonly #readsBlockWrites: Obstacle;
  readonly #reads = new Set<Read>();
  readonly #jobs = new Set<Job>();
  /** A write for which no read begins. */
  #preferred: Promise<unknown> | undefined;
  #writes = 0;

  constructor(readsBlockWrites: Obstacle) {
    this.#readsBlockWrites = readsBlockWrites;
  }

  async run<T>(
    { what, options }: NamedRead,
    work: (options: PerformOptions) => Promise<T>,
  ): Promise<T> {
    await this.#preferred;
    const controller = new AbortController();
    const read: Read = {
      startedAt: performance.now(),
      end: (obstacle) => controller.abort(endedRead(what, obstacle)),
    };
    const { signal = controller.signal } = options;
    this.#reads.add(read);
    try {
      return await work({ ...options, signal: AbortSignal.any([signal, controller.signal]) });
    } finally {
      this.#reads.delete(read);
    }
  }

  /** Performs a write. If reads of the studio made it wait until it failed, they are ended, and it is performed again. */
  async beforeReads<T>(write: () => Promise<T>): Promise<T> {
    this.#writes += 1;
    try {
      for (let attempt = 1; attempt < mostAttempts; attempt += 1) {
        const since = performance.now() - leastLeadMs;
        try {
          return await (attempt === 1 ? write() : this.#prefer(write()));
        } catch (error) {
          await this.#endReadsFor(error, since);
        }
      }
      return await this.#prefer(write());
    } finally {
      this.#writes -= 1;
    }
  }

  /** Notes a job, which runs until `end` is called. */
  addJob(job: RunningJob): JobNotes {
    const running = { ...job, startedAt: performance.now() };
    this.#jobs.add(running);
    return {
      committing: (until) => void this.#giveWay(until),
      end: () => void this.#jobs.delete(running),
    };
  }

  /** The error of an operation, with what is known of the studio's own part in it. */
  async explain(error: unknown, isWrite: boolean): Promise<unknown> {
    if (!isBusy(error) || ended.has(error)) return error;
    const isWriting = this.#writes > 0;
    const readsBlockWrites = this.#readsBlockWrites;
    return explained(error, { jobs: this.#jobs, isWrite, isWriting, readsBlockWrites });
  }

  async #endReadsFor(error: unknown, since: number): Promise<void> {
    const isHeldUp = isBusy(error) && !isByWriter(error) && exportIn(this.#jobs) === undefined;
    const obstacle = isHeldUp && this.#reads.size > 0 ? await this.#readsBlockWrites() : undefined;
    if (obstacle === undefined) throw error;
    this.#endReads(since, obstacle);
  }

  #endReads(since: number, obstacle: ReadsBlockWrites): void {
    for (const read of this.#reads) if (read.startedAt <= since) read.end(obstacle);
  }

  /** Reads that follow one another would hold up a write for good. */
  async #prefer<T>(work: Promise<T>): Promise<T> {
    const done = work.catch(() => undefined);
    this.#preferred = done;
    try {
      return await work;
    } finally {
      if (this.#preferred === done) this.#preferred = undefined;
    }
  }

  async #giveWay(until: Promise<unknown>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<'waits'>();
    const timer = setTimeout(() => resolve('waits'), commitWaitMs);
    const done = until.then(
      () => 'done' as const,
      () => 'done' as const,
    );
    const state = await Promise.race([promise, done]);
    clearTimeout(timer);
    const obstacle = state === 'done' ? undefined : await this.#readsBlockWrites();
    if (obstacle === undefined) return;
    this.#endReads(performance.now() - commitWaitMs, obstacle);
    await this.#prefer(done);
  }
}

function isBusy(error: unknown): error is StudioError {
  return error instanceof StudioError && error.code === 'database_busy';
}

/** Another writer has the lock: to end reads would not help. */
function isByWriter({ details }: StudioError): boolean {
  return details['held_by'] === 'writer';
}

function exportIn(jobs: ReadonlySet<Job>): Job | undefined {
  const latest = performance.now() - lockWaitMs;
  return [...jobs].find(({ isWrite, startedAt }) => !isWrite && startedAt <= latest);
}

/** Errors that say all already. */
const ended = new WeakSet<StudioError>();

function endedRead(what: string, { reason, remedy }: ReadsBlockWrites): StudioError {
  const error = new StudioError(
    'database_busy',
    `${what} was ended because a write waited for it: ${reason}. Try again, read less at a time, or ${remedy}.`,
  );
  ended.add(error);
  return error;
}

interface Explaining {
  readonly jobs: ReadonlySet<Job>;
  /** Whether the error is that of a write. */
  readonly isWrite: boolean;
  /** Whether a write is being performed. */
  readonly isWriting: boolean;
  readonly readsBlockWrites: Obstacle;
}

async function explained(
  error: StudioError,
  { jobs, isWrite, isWriting, readsBlockWrites }: Explaining,
): Promise<StudioError> {
  const saying = (message: string): StudioError =>
    Object.assign(new StudioError(error.code, message, error.details), { cause: error });
  const importing = [...jobs].find((job) => job.isWrite);
  if (importing !== undefined)
    return saying(`This studio runs ${importing.what} at present. Try again when it is done.`);
  if (!isWrite && isWriting)
    return saying('This studio is writing to the database at present. Try again when it is done.');
  if (!isWrite || isByWriter(error)) return error;
  const exporting = exportIn(jobs);
  const obstacle = exporting === undefined ? undefined : await readsBlockWrites();
  if (exporting === undefined || obstacle === undefined) return error;
  return saying(
    `This studio runs ${exporting.what} at present, and ${obstacle.reason}. Nothing was written. ` +
      `Try again when it is done, or ${obstacle.remedy}.`,
  );
}
