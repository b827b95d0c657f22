import type { Table } from '../api/queries.ts';

/** `4,512`, or `~18,000` when it is an estimate. */
export function countText({ row_count: count, row_count_exact: exact }: Table): string {
  return `${exact === false ? '~' : ''}${count.toLocaleString('en')}`;
}
