import { join, raw, sql } from '../../../model/fragment.ts';
import { plainAssignment } from '../../../model/write-dialect.ts';
import type { RowLock, WriteDialect } from '../../../model/write-dialect.ts';

const rowLock: RowLock = { hint: '', clause: ' FOR UPDATE' };

export const postgresWriting: WriteDialect = {
  insertRow: ({ table, columns, values, returning }) =>
    columns.length === 0
      ? sql`INSERT INTO ${table} DEFAULT VALUES${returningClause(returning)}`
      : sql`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${join(values, ', ')})${returningClause(returning)}`,
  updateRow: ({ table, assignments, where, returning }) =>
    sql`UPDATE ${table} SET ${join(assignments, ', ')} WHERE ${where}${returningClause(returning)}`,
  assignment: plainAssignment,
  supportsInsertReturning: true,
  supportsUpdateReturning: true,
  rowLock,
  // With row security, FOR UPDATE finds only the rows that the login may update.
  referencingRowsLock: ({ options }) =>
    options?.['row_security'] === undefined ? rowLock : undefined,
  rowState: () => undefined,
  deferForeignKeys: 'SET CONSTRAINTS ALL DEFERRED',
  onlyCountsKeyViolations: false,
  noRollbackReason: () => undefined,
  currentTime: () => raw('CURRENT_TIMESTAMP'),
};

function returningClause(expressions: readonly string[]): string {
  return expressions.length === 0 ? '' : ` RETURNING ${expressions.join(', ')}`;
}
