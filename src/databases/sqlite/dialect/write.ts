import { isUtf8 } from 'node:buffer';
import { join, param, sql } from '../../../model/fragment.ts';
import { plainAssignment } from '../../../model/write-dialect.ts';
import type { Fragment, Param } from '../../../model/fragment.ts';
import type { WriteDialect } from '../../../model/write-dialect.ts';

export const sqliteWriting: WriteDialect = {
  insertRow: ({ table, columns, values, returning, isStrict }) =>
    columns.length === 0
      ? sql`INSERT${strictly(isStrict)} INTO ${table} DEFAULT VALUES${returningClause(returning)}`
      : sql`INSERT${strictly(isStrict)} INTO ${table} (${columns.join(', ')}) VALUES (${join(values, ', ')})${returningClause(returning)}`,
  updateRow: ({ table, assignments, where, returning, isStrict }) =>
    sql`UPDATE${strictly(isStrict)} ${table} SET ${join(assignments, ', ')} WHERE ${where}${returningClause(returning)}`,
  assignment,
  supportsInsertReturning: true,
  supportsUpdateReturning: true,
  rowLock: { hint: '', clause: '' },
  referencingRowsLock: () => undefined,
  rowState: () => undefined,
  deferForeignKeys: 'PRAGMA defer_foreign_keys = ON',
  onlyCountsKeyViolations: true,
  noRollbackReason: () => undefined,
  currentTime,
};

/** Text that is not UTF-8 is read as bytes. When the same bytes are written back, the value stays a TEXT. */
function assignment(name: string, value: Param): Fragment {
  if (!(value.value instanceof Uint8Array) || isUtf8(value.value))
    return plainAssignment(name, value);
  const bytes = param(value.value, value.type);
  return sql`${name} = CASE WHEN typeof(${name}) = 'text' AND CAST(${name} AS BLOB) = ${bytes} THEN ${name} ELSE ${bytes} END`;
}

/** Overrides the ON CONFLICT clauses of the table's constraints, and of statements in triggers. */
function strictly(isStrict = false): string {
  return isStrict ? ' OR ABORT' : '';
}

function returningClause(names: readonly string[]): string {
  return names.length === 0 ? '' : ` RETURNING ${names.join(', ')}`;
}

/** UTC with milliseconds and offset: the format that Go's SQLite drivers write, so that GORM reads it. */
function currentTime(): Fragment {
  return param(new Date().toISOString().replace('T', ' ').replace('Z', '+00:00'));
}
