import type { LoadDialect, Suspension } from '../../../model/load-dialect.ts';

/** Keys are looked at row by row. */
export const mysqlLoading: LoadDialect = {
  rowsTogether: 5000,
  defersKeys: false,
  checkAtOnce: () => [],
  savepoint: {
    set: 'SAVEPOINT studio_load',
    release: 'RELEASE SAVEPOINT studio_load',
    undo: 'ROLLBACK TO SAVEPOINT studio_load',
  },
  suspension: () => suspension,
  objection: ({ name, options }) =>
    notUndone.has(options?.['ENGINE']?.toLowerCase() ?? '')
      ? `"${name}" is kept by ${options?.['ENGINE'] ?? ''}, which takes nothing back`
      : undefined,
};

/** For all keys of the session at once, and nothing is looked at afterwards. */
const suspension: Suspension = {
  begin: ['SET SESSION foreign_key_checks = 0'],
  check: [],
  end: ['SET SESSION foreign_key_checks = 1'],
  verifies: false,
  free: false,
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
