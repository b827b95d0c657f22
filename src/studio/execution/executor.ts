import type { PoolStats } from '../../model/database.ts';
import type { OperationName } from './operations.ts';
import type { Reply } from '../core/reply.ts';

export interface PerformOptions {
  /** The client has gone: what was begun for it is ended. */
  readonly signal?: AbortSignal;
  /** Ends the work with `statement_timeout`. */
  readonly limitMs?: number;
}

export interface Recovered {
  /** Whether the job had a journal, so that its work was undone. */
  readonly isUndone: boolean;
  /** Objects that may still be in the database. */
  readonly left: readonly string[];
}

/** A job as messages about it say it. */
export interface RunningJob {
  /** "an export of "users"" */
  readonly what: string;
  readonly isWrite: boolean;
}

export interface JobNotes {
  /** The job commits; `until` settles when that is done. */
  committing(until: Promise<unknown>): void;
  end(): void;
}

/** Performs operations: in this process, or in child processes that can be killed. */
export interface Executor {
  perform(name: OperationName, input: unknown, options: PerformOptions): Promise<Reply>;
  /** Undoes what a failed or killed job left in the database, by the job's journal. */
  recover(journal: string): Promise<Recovered>;
  /** Tells the executor of a job that uses the same database in a process of its own. */
  addJob(job: RunningJob): JobNotes;
  stats(): PoolStats;
  close(): Promise<void>;
}
