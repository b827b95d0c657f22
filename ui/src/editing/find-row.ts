import { isKeyReused, rowAfterSaves } from './rows-after-saves.ts';
import type { RowAtSave } from './rows-after-saves.ts';
import type { ShownRows } from './shown-rows.ts';

/**
 * Returns where a row is now, looking at `near` first. Undefined if it is not shown, or was deleted.
 * Between the response to a save and the reload of the rows, they still have the keys from before.
 */
export function findRow(rows: ShownRows, row: RowAtSave, near: number): number | undefined {
  const { key } = rowAfterSaves(row);
  if (key === undefined) return undefined;
  const index = rows.indexOf(key, near);
  if (index !== undefined || key === row.key || isKeyReused(row)) return index;
  return rows.indexOf(row.key, near);
}
