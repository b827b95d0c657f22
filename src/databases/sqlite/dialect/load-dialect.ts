import type { LoadDialect } from '../../../model/load-dialect.ts';

/** Where a bad row is to be left out, its keys are looked at when it is written. */
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
    // It ends with the transaction; switched off before, SQLite forgets what is still missing.
    end: [],
    // What is still missing then keeps the transaction from being committed.
    verifies: true,
    isLightweight: false,
  }),
  noRollbackReason: () => undefined,
};
