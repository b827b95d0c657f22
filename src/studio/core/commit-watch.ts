import { isInterruption } from '../../model/errors.ts';
import { asFullDatabase } from '../../model/supports.ts';
import { withOutcome } from './write-transaction.ts';
import type { Capability } from '../../model/capabilities.ts';
import type { Database } from '../../model/database.ts';
import type { WriteOutcome } from '../../model/errors.ts';

export interface CommitWatch<D extends Database> {
  readonly database: D;
  /** Adds to an error of the whole work what it has written, whichever of its statements failed. */
  explain(error: unknown): unknown;
}

/**
 * Observes which transactions of some work have begun to commit: before that nothing was written, also if the
 * connection failed before the first statement. `onCommitting` is called before each commit.
 */
export function watchCommits<D extends Database>(
  opened: D,
  onCommitting: () => void = () => undefined,
): CommitWatch<D> {
  const database = asFullDatabase(opened);
  let outcome: WriteOutcome = 'nothing_written';
  const watched: Database<Capability> = {
    ...database,
    transaction: async (mode, work, options) => {
      if (mode === 'read') return database.transaction(mode, work, options);
      const before = outcome;
      try {
        const result = await database.transaction(
          mode,
          async (session) => {
            const value = await work(session);
            outcome = 'unknown';
            onCommitting();
            return value;
          },
          options,
        );
        outcome = 'written';
        return result;
      } catch (error) {
        // A commit that the database has rejected is rolled back.
        if (!isInterruption(error)) outcome = before;
        throw error;
      }
    },
  };
  return {
    database: watched as Database as D,
    explain: (error) => withOutcome(error, outcome),
  };
}
