import type { PoolStats, RunOptions } from '../../model/database.ts';
import type { StandbyState } from '../../model/server-state.ts';
import type { Schema } from '../../model/schema.ts';
import type { CacheUses } from '../core/cache-uses.ts';
import type { OperationName } from './operations.ts';
import type { Reply } from '../core/reply.ts';

/** `signal` is aborted when the client disconnects. */
export type PerformOptions = RunOptions;

export interface RecoveryResult {
  /** Whether the job had a journal, so that its work was undone. */
  readonly isUndone: boolean;
  /** Names of objects that may still be in the database. */
  readonly objectsLeft: readonly string[];
  /** Names of objects that stay, because others may have created them. */
  readonly objectsInDoubt: readonly string[];
}

/** A running job, as error messages describe it. */
export interface RunningJob {
  /** For example `an export of "users"`. */
  readonly description: string;
  readonly isWrite: boolean;
}

export interface RunningJobHandle {
  /** Called when the job begins to commit. `until` settles when the commit is complete. */
  committing(until: Promise<unknown>): void;
  end(): void;
}

/** Performs operations: in this process, or in child processes that can be killed. */
export interface Executor {
  perform(name: OperationName, input: unknown, options: PerformOptions): Promise<Reply>;
  /** The cached structure of these tables, for a job that only reads them. Undefined if the job must read it. */
  cachedTables?(names: readonly string[]): Promise<Schema | undefined>;
  /** Undoes what a failed or killed job left in the database, by the job's journal. */
  recover(journal: string): Promise<RecoveryResult>;
  /** Registers a job that uses the same database in a process of its own. */
  addJob(job: RunningJob): RunningJobHandle;
  /** Called after another process changed the structure: operations that follow use the new structure. */
  structureChanged(): void;
  /** The standby that pages are read from. Absent without one. */
  standby?(): Promise<StandbyState>;
  stats(): PoolStats;
  cacheUses(): CacheUses;
  close(): Promise<void>;
}
