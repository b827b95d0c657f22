/** Observes the commits of a database. */
import { isInterruption } from '../../model/errors.ts';
import { asFullDatabase } from '../../model/supports.ts';
import { withStatedOutcome } from './write-transaction.ts';
import type { Capability } from '../../model/capabilities.ts';
import type { Database, TransactionMode } from '../../model/database.ts';
import type { WriteOutcome } from '../../model/errors.ts';

interface CommitObserver {
  /** What is not observed: modes of transactions, and what runs outside of transactions. */
  readonly ignored: readonly (TransactionMode | 'outside transaction')[];
  /** The work of a transaction is done, and its commit begins. */
  committing(): void;
  committed(): void;
  /** The work of a transaction or its commit has failed. */
  failed?(error: unknown): void;
}

export function observeCommits(opened: Database, observer: CommitObserver): Database<Capability> {
  const database = asFullDatabase(opened);
  return {
    ...database,
    runOutsideTransaction: async (work, options) => {
      if (observer.ignored.includes('outside transaction'))
        return database.runOutsideTransaction(work, options);
      try {
        const result = await database.runOutsideTransaction(async (session) => {
          // Its statements commit by themselves.
          observer.committing();
          return work(session);
        }, options);
        observer.committed();
        return result;
      } catch (error) {
        observer.failed?.(error);
        throw error;
      }
    },
    transaction: async (mode, work, options) => {
      if (observer.ignored.includes(mode)) return database.transaction(mode, work, options);
      try {
        const result = await database.transaction(
          mode,
          async (session) => {
            const value = await work(session);
            observer.committing();
            return value;
          },
          options,
        );
        observer.committed();
        return result;
      } catch (error) {
        observer.failed?.(error);
        throw error;
      }
    },
  };
}

export interface CommitWatch<D extends Database> {
  readonly database: D;
  /** Adds to an error of the whole work what it has written, whichever of its statements failed. */
  explain(error: unknown): unknown;
}

/**
 * Observes which transactions of some work have begun to commit: before that nothing was written, also if the
 * connection failed before the first statement. `onChange` learns of each change of the outcome at once.
 */
export function watchCommits<D extends Database>(
  opened: D,
  onChange: (outcome: WriteOutcome) => void = () => {},
): CommitWatch<D> {
  let outcome: WriteOutcome = 'nothing_written';
  /** What it was when the last commit began, to return to if that commit is rolled back. */
  let outcomeBeforeCommit: WriteOutcome = outcome;
  const change = (next: WriteOutcome): void => {
    if (next !== outcome) onChange(next);
    outcome = next;
  };
  const watched = observeCommits(opened, {
    ignored: ['read'],
    committing: () => change('unknown'),
    committed: () => {
      change('written');
      outcomeBeforeCommit = outcome;
    },
    failed: (error) => {
      // Nobody knows whether an interrupted commit has happened. One that the database has rejected is rolled back.
      if (isInterruption(error)) outcomeBeforeCommit = outcome;
      else change(outcomeBeforeCommit);
    },
  });
  return {
    database: watched as Database as D,
    explain: (error) => withStatedOutcome(error, outcome),
  };
}
