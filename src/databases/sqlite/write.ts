import { join, param, sql } from '../../model/fragment.ts';
import type { Fragment } from '../../model/fragment.ts';
import type { WriteDialect } from '../../model/write-dialect.ts';

export const sqliteWriting: WriteDialect = {
  insertRow: ({ table, columns, values, returning }) =>
    columns.length === 0
      ? sql`INSERT INTO ${table} DEFAULT VALUES${returningClause(returning)}`
      : sql`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${join(values, ', ')})${returningClause(returning)}`,
  updateRow: ({ table, assignments, where, returning }) =>
    sql`UPDATE ${table} SET ${join(assignments, ', ')} WHERE ${where}${returningClause(returning)}`,
  tellsNewRows: true,
  tellsWrittenRows: true,
  rowLock: { hint: '', clause: '' },
  deferForeignKeys: 'PRAGMA defer_foreign_keys = ON',
  currentTime,
};

function returningClause(names: readonly string[]): string {
  return names.length === 0 ? '' : ` RETURNING ${names.join(', ')}`;
}

/** As Go's SQLite drivers write times, so that GORM reads its own: UTC, milliseconds, offset. */
function currentTime(): Fragment {
  return param(new Date().toISOString().replace('T', ' ').replace('Z', '+00:00'));
}
