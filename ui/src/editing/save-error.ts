import type { ShownRow } from './shown-rows.ts';
import type { SaveError, StagedTable } from './staged-store.ts';

/** The error of a save if it is about this row. */
export function saveErrorOfRow(
  { saveError }: StagedTable,
  shownRow: ShownRow | undefined,
): SaveError | undefined {
  if (saveError === undefined || shownRow === undefined) return undefined;
  const isRow =
    shownRow.kind === 'new'
      ? saveError.number === shownRow.number
      : saveError.id !== undefined && saveError.id === shownRow.stored?.id;
  return isRow ? saveError : undefined;
}

/** The message of the error of a save if it is about this cell. */
export function saveErrorAt(
  store: StagedTable,
  shownRow: ShownRow | undefined,
  column: string,
): string | undefined {
  const error = saveErrorOfRow(store, shownRow);
  return error?.columns.includes(column) === true ? error.message : undefined;
}
