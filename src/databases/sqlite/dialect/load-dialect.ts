import { sqliteCounters } from './counters.ts';
import type { LoadDialect } from '../../../model/load-dialect.ts';

/** When rows with errors are to be skipped, foreign keys are not deferred. */
export const sqliteLoading: LoadDialect = {
  rowsPerBatch: 500,
  defersAllForeignKeys: true,
  checkKeysImmediately: () => [],
  counters: sqliteCounters,
  advanceIdentity: () => undefined,
  rejectsUpdates: () => false,
  savepoint: {
    set: 'SAVEPOINT studio_load',
    release: 'RELEASE studio_load',
    undo: 'ROLLBACK TO studio_load',
  },
  cycleSavepoint: {
    set: 'SAVEPOINT studio_cycle',
    release: 'RELEASE studio_cycle',
    undo: 'ROLLBACK TO studio_cycle',
  },
  deferForeignKey: (_table, { deferrable }) => ({
    prepare: [],
    begin: ['PRAGMA defer_foreign_keys = ON'],
    check: [],
    // Also resets SQLite's count of violations. `Transaction.checkForeignKeys` does not depend on that count.
    end: ['PRAGMA defer_foreign_keys = OFF'],
    affectsAllKeys: true,
    verifies: true,
    // Only the check of a key that is not INITIALLY DEFERRED names the row, when it is inserted.
    isLightweight: deferrable === 'deferred',
  }),
};
