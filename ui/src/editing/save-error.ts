import type { ShownRow } from './shown-rows.ts';
import type { SaveError, StagedTable } from './staged-store.ts';

/** The error of a save if it is about this row. */
export function saveErrorOfRow(
  { saveError }: StagedTable,
  shown: ShownRow | undefined,
): SaveError | undefined {
  if (saveError === undefined || shown === undefined) return undefined;
  const isRow =
    shown.kind === 'new'
      ? saveError.number === shown.number
      : saveError.id !== undefined && saveError.id === shown.stored?.id;
  return isRow ? saveError : undefined;
}

/** The message of the error of a save if it is about this cell. */
export function saveErrorAt(
  store: StagedTable,
  shown: ShownRow | undefined,
  column: string,
): string | undefined {
  const error = saveErrorOfRow(store, shown);
  return error?.columns.includes(column) === true ? error.message : undefined;
}
