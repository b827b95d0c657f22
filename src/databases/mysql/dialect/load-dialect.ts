import type { LoadDialect, ForeignKeyDeferral } from '../../../model/load-dialect.ts';

/** Foreign keys are checked row by row and cannot be deferred. */
export const mysqlLoading: LoadDialect = {
  rowsPerBatch: 5000,
  defersAllForeignKeys: false,
  checkKeysImmediately: () => [],
  savepoint: {
    set: 'SAVEPOINT studio_load',
    release: 'RELEASE SAVEPOINT studio_load',
    undo: 'ROLLBACK TO SAVEPOINT studio_load',
  },
  deferForeignKey: () => disabledChecks,
  noRollbackReason: ({ name, options }) =>
    notUndone.has(options?.['ENGINE']?.toLowerCase() ?? '')
      ? `"${name}" is stored by ${options?.['ENGINE'] ?? ''}, which has no transactions`
      : undefined,
};

/** Affects all foreign keys of the session. The server does not check existing rows when the checks are enabled again. */
const disabledChecks: ForeignKeyDeferral = {
  begin: ['SET SESSION foreign_key_checks = 0'],
  check: [],
  end: ['SET SESSION foreign_key_checks = 1'],
  verifies: false,
  isLightweight: false,
};

/** Storage engines without transactions. */
export const notUndone: ReadonlySet<string> = new Set([
  'myisam',
  'aria',
  'memory',
  'csv',
  'archive',
  'mrg_myisam',
  'blackhole',
  'federated',
  's3',
  'connect',
  'mroonga',
  'sphinx',
]);
