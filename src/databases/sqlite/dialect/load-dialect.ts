import type { LoadDialect } from '../../../model/load-dialect.ts';

/** Where a bad row is to be left out, its keys are looked at when it is written. */
export const sqliteLoading: LoadDialect = {
  rowsTogether: 500,
  defersKeys: true,
  checkAtOnce: () => [],
  savepoint: {
    set: 'SAVEPOINT studio_load',
    release: 'RELEASE studio_load',
    undo: 'ROLLBACK TO studio_load',
  },
  suspension: () => ({
    begin: ['PRAGMA defer_foreign_keys = ON'],
    check: [],
    // It ends with the transaction; switched off before, SQLite forgets what is still missing.
    end: [],
    // What is still missing then keeps the transaction from being committed.
    verifies: true,
    free: false,
  }),
  objection: () => undefined,
};
