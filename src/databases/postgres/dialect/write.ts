import { join, raw, sql } from '../../../model/fragment.ts';
import { plainAssignment } from '../../../model/write-dialect.ts';
import type { Fragment } from '../../../model/fragment.ts';
import type { InsertRow, RowLock, WriteDialect } from '../../../model/write-dialect.ts';

const rowLock: RowLock = { hint: '', clause: ' FOR UPDATE' };

export const postgresWriting: WriteDialect = {
  insertRow: (insert) => {
    const { table, columns, values } = insert;
    const row =
      columns.length === 0
        ? raw('DEFAULT VALUES')
        : sql`(${columns.join(', ')}) VALUES (${join(values, ', ')})`;
    return withReturning(sql`INSERT INTO ${table} ${row}`, insert);
  },
  updateRow: (update) => {
    const { table, assignments, where } = update;
    const set = join(assignments, ', ');
    return withReturning(sql`UPDATE ${table} SET ${set} WHERE ${where}`, update);
  },
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

/** Citus returns only what is immutable, such as the columns themselves, but computes anything from the rows of a CTE. */
function withReturning(
  write: Fragment,
  { returning, options }: Pick<InsertRow, 'returning' | 'options'>,
): Fragment {
  if (returning.length === 0) return write;
  const expressions = returning.join(', ');
  return options?.['distribution'] === undefined
    ? sql`${write} RETURNING ${expressions}`
    : sql`WITH written AS (${write} RETURNING *) SELECT ${expressions} FROM written`;
}
