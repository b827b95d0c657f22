import { mustHaveValue } from '../model/must-have-value.ts';
import type { InsertBatch } from '../model/load-dialect.ts';

/**
 * Whether each new row would need a value that the rows do not have. INSERT fails then before it looks for
 * an existing row by another key, so existing rows must be found first.
 */
export function lacksRequiredValues({ table, columns }: InsertBatch): boolean {
  const given = new Set(columns.map(({ name }) => name));
  return table.columns.some((column) => mustHaveValue(column) && !given.has(column.name));
}
