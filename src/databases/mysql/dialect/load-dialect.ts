import { mysqlCounters } from './counters.ts';
import type { LoadDialect, ForeignKeyDeferral } from '../../../model/load-dialect.ts';

/** Foreign keys are checked row by row and cannot be deferred. */
export const mysqlLoading: LoadDialect = {
  // The next batch is in memory too. With 5000, JSON files took more than 300 MB.
  rowsPerBatch: 2500,
  defersAllForeignKeys: false,
  checkKeysImmediately: () => [],
  counters: mysqlCounters,
  advanceIdentity: () => undefined,
  rejectsUpdates: () => false,
  savepoint: {
    set: 'SAVEPOINT studio_load',
    release: 'RELEASE SAVEPOINT studio_load',
    undo: 'ROLLBACK TO SAVEPOINT studio_load',
  },
  cycleSavepoint: {
    set: 'SAVEPOINT studio_cycle',
    release: 'RELEASE SAVEPOINT studio_cycle',
    undo: 'ROLLBACK TO SAVEPOINT studio_cycle',
  },
  deferForeignKey: () => disabledChecks,
};

/** The server does not check existing rows when the checks are enabled again. */
const disabledChecks: ForeignKeyDeferral = {
  prepare: [],
  begin: ['SET SESSION foreign_key_checks = 0'],
  check: [],
  end: ['SET SESSION foreign_key_checks = 1'],
  affectsAllKeys: true,
  verifies: false,
  isLightweight: false,
};
