import type { LoadDialect, ForeignKeyDeferral } from '../../../model/load-dialect.ts';

/** Keys are looked at row by row. */
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
      ? `"${name}" is kept by ${options?.['ENGINE'] ?? ''}, which takes nothing back`
      : undefined,
};

/** For all keys of the session at once, and nothing is looked at afterwards. */
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
