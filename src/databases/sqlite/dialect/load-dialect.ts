import type { LoadDialect } from '../../../model/load-dialect.ts';

/** When rows with errors are to be skipped, foreign keys are not deferred. */
export const sqliteLoading: LoadDialect = {
  rowsPerBatch: 500,
  defersAllForeignKeys: true,
  checkKeysImmediately: () => [],
  savepoint: {
    set: 'SAVEPOINT studio_load',
    release: 'RELEASE studio_load',
    undo: 'ROLLBACK TO studio_load',
  },
  deferForeignKey: () => ({
    begin: ['PRAGMA defer_foreign_keys = ON'],
    check: [],
    // The setting ends with the transaction. If it were turned off earlier, SQLite would reset its count of violations.
    end: [],
    // COMMIT fails if references are still dangling.
    verifies: true,
    isLightweight: false,
  }),
  noRollbackReason: () => undefined,
};
