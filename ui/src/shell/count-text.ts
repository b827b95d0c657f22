import type { Table } from '../api/queries.ts';

/** Formats a row count: `4,512`, `~18,000` for an estimate, `?` if the table cannot be read. */
export function countText(table: Table): string {
  if (table.row_count_error !== undefined) return '?';
  const { row_count: count, row_count_exact: exact } = table;
  return `${exact === false ? '~' : ''}${count.toLocaleString('en')}`;
}
