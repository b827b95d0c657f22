import type { Cell } from '../../../src/contract/client.ts';
import type { Row, RowList, Table } from '../api/queries.ts';
import { rowId } from '../api/row-key.ts';
import type { KnownRow, Staged, Values } from './staged.ts';

/** A row of the grid: a new one, or one that was read, with what is staged for it. */
export type ShownRow =
  | { readonly kind: 'new'; readonly number: number; readonly values: Values }
  | {
      readonly kind: 'known';
      /** Undefined where the row has no address: it cannot be changed. */
      readonly known: KnownRow | undefined;
      readonly row: Row;
      readonly values: Values;
      readonly isRemoved: boolean;
    };

/** New rows first, then the page. */
export function shownRows(
  table: Table,
  answer: RowList | undefined,
  staged: Staged,
): readonly ShownRow[] {
  const created = [...staged.created].map(([number, values]): ShownRow => ({
    kind: 'new',
    number,
    values,
  }));
  const known = (answer?.data ?? []).map((row, i): ShownRow => {
    const id = rowId(table, row);
    const etag = answer?.etags?.[i] ?? undefined;
    return {
      kind: 'known',
      known: id === undefined ? undefined : { id, row, etag },
      row,
      values: (id === undefined ? undefined : staged.edits.get(id)?.values) ?? {},
      isRemoved: id !== undefined && staged.removed.has(id),
    };
  });
  return [...created, ...known];
}

/** What a cell shows; `undefined` is the column's default. */
export function shownValue(shown: ShownRow, column: string): Cell | undefined {
  if (column in shown.values) return shown.values[column];
  return shown.kind === 'new' ? undefined : (shown.row[column] ?? null);
}
