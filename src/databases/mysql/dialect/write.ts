import { join, raw, sql } from '../../../model/fragment.ts';
import { plainAssignment } from '../../../model/write-dialect.ts';
import type { Fragment } from '../../../model/fragment.ts';
import type { Column } from '../../../model/schema.ts';
import { rowState } from './row-state.ts';
import type { RowLock, WriteDialect } from '../../../model/write-dialect.ts';

const rowLock: RowLock = { hint: '', clause: ' FOR UPDATE' };

export const mysqlWriting: WriteDialect = {
  insertRow: ({ table, columns, values }) =>
    sql`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${join(values, ', ')})`,
  updateRow: ({ table, assignments, where }) =>
    sql`UPDATE ${table} SET ${join(assignments, ', ')} WHERE ${where}`,
  assignment: plainAssignment,
  supportsInsertReturning: false,
  supportsUpdateReturning: false,
  rowLock,
  referencingRowsLock: () => rowLock,
  rowState,
  deferForeignKeys: undefined,
  onlyCountsKeyViolations: false,
  noRollbackReason: ({ name, options }) =>
    notUndone.has(options?.['ENGINE']?.toLowerCase() ?? '')
      ? `"${name}" is stored by ${options?.['ENGINE'] ?? ''}, which has no transactions`
      : undefined,
  currentTime,
};

/** MariaDB's INSERT … RETURNING reports keys that a default or trigger has generated. */
export const mariadbWriting: WriteDialect = {
  ...mysqlWriting,
  supportsInsertReturning: true,
  insertRow: (insert) => {
    const returningClause =
      insert.returning.length === 0 ? '' : ` RETURNING ${insert.returning.join(', ')}`;
    return sql`${mysqlWriting.insertRow(insert)}${returningClause}`;
  },
};

/** In UTC, like the session. */
function currentTime({ type }: Column): Fragment {
  if (type.kind === 'date') return raw('CURRENT_DATE');
  return raw(`CURRENT_TIMESTAMP(${type.kind === 'timestamp' ? (type.precision ?? 0) : 6})`);
}

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
