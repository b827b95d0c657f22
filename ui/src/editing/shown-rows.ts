import type { Cell } from '../../../src/contract/client.ts';
import type { Row, RowList, Table } from '../api/queries.ts';
import { rowId } from '../api/row-key.ts';
import { ownValue } from '../cells/own-value.ts';
import { cellText } from '../cells/value-kind.ts';
import type { StoredRow, Staged, Values } from './staged.ts';

/** A row of the grid, with its staged changes: a new row, or a row that was read. */
export type ShownRow =
  | { readonly kind: 'new'; readonly number: number; readonly values: Values }
  | {
      readonly kind: 'stored';
      /** Undefined for a row without an id. It cannot be changed. */
      readonly stored: StoredRow | undefined;
      readonly row: Row;
      readonly values: Values;
      readonly isRemoved: boolean;
      /** The titles of the rows that its foreign keys reference. */
      readonly labels: RowList['labels'];
    };

/** The rows of the grid by index: new rows first, then the rows that were read so far. */
export interface ShownRows {
  readonly count: number;
  /** Returns undefined for a row that has not been read yet. */
  readonly at: (rowIndex: number) => ShownRow | undefined;
}

/** A row that was read: its page, and its index in the page. */
export interface ReadRow {
  readonly page: RowList;
  readonly index: number;
}

export interface ReadRows {
  readonly count: number;
  readonly at: (rowIndex: number) => ReadRow | undefined;
}

export function shownRows(table: Table, read: ReadRows, staged: Staged): ShownRows {
  const created = [...staged.created];
  const cache = new Map<number, ShownRow | undefined>();
  const find = (rowIndex: number): ShownRow | undefined => {
    const fresh = created[rowIndex];
    if (fresh !== undefined) return { kind: 'new', number: fresh[0], values: fresh[1] };
    const found = read.at(rowIndex - created.length);
    return found === undefined ? undefined : storedRow(table, found, staged);
  };
  return {
    count: created.length + read.count,
    // Cached, because each cell of a row asks for it.
    at: (rowIndex) => {
      if (!cache.has(rowIndex)) cache.set(rowIndex, find(rowIndex));
      return cache.get(rowIndex);
    },
  };
}

function storedRow(table: Table, { page, index }: ReadRow, staged: Staged): ShownRow | undefined {
  const row = page.data[index];
  if (row === undefined) return undefined;
  const id = rowId(table, row);
  return {
    kind: 'stored',
    stored: id === undefined ? undefined : { id, row, etag: page.etags?.[index] ?? undefined },
    row,
    values: (id === undefined ? undefined : staged.edits.get(id)?.values) ?? {},
    isRemoved: id !== undefined && staged.removed.has(id),
    labels: page.labels,
  };
}

/** Returns the rows of a block, without those that have not been read yet. */
export function rowsBetween(rows: ShownRows, top: number, bottom: number): readonly ShownRow[] {
  const rowIndexes = Array.from({ length: bottom - top + 1 }, (_, i) => top + i);
  return rowIndexes.map(rows.at).filter((row) => row !== undefined);
}

/** Returns the value that a cell shows. `undefined` means the column's default. */
export function shownValue(shown: ShownRow, column: string): Cell | undefined {
  if (Object.hasOwn(shown.values, column)) return shown.values[column];
  return shown.kind === 'new' ? undefined : (ownValue(shown.row, column) ?? null);
}

/** Returns all values of a row, staged changes included. */
export function shownRow(shown: ShownRow): Row {
  return shown.kind === 'new' ? shown.values : { ...shown.row, ...shown.values };
}

/** Returns the title of the row that a foreign key value references. */
export function labelOf(shown: ShownRow, column: string): Cell | undefined {
  if (shown.kind === 'new') return undefined;
  const labels = ownValue(shown.labels ?? {}, column);
  return labels?.[cellText(shownValue(shown, column) ?? null)];
}
