import type { Cell } from '../../../src/contract/client/client.ts';
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
      /** A new row that was saved: it stays at the top, wherever the sort order has it. */
      readonly isSavedNew?: true;
      /** The titles of the rows that its foreign keys reference. */
      readonly labels: RowList['labels'];
    };

/** The rows of the grid by index: new rows first, then new rows that were saved, then the rows that were read so far. */
export interface ShownRows {
  readonly count: number;
  /** Returns undefined for a row that has not been read yet. */
  readonly at: (rowIndex: number) => ShownRow | undefined;
  /** Returns the index of a row in the list that was read. */
  readonly listIndex: (rowIndex: number) => number;
  /** Returns where the row with a key is, looking at `near` first. Undefined if it was not read. */
  readonly indexOf: (key: string, near: number) => number | undefined;
  /** Returns the rows with these keys that were read, in display order. */
  readonly withKeys: (keys: ReadonlySet<string>) => readonly ShownRow[];
}

/** Returns a key that stays with the record when rows move. Undefined for a row without an id. */
export function rowKeyOf(shownRow: ShownRow): string | undefined {
  return shownRow.kind === 'new' ? newRowKey(shownRow.number) : shownRow.stored?.id;
}

/** Ids of stored rows never start with `+`. */
export function newRowKey(number: number): string {
  return `+${number}`;
}

/** A row that was read: its page, and its index in the page. */
export interface ReadRow {
  readonly page: RowList;
  readonly index: number;
}

export interface ReadRows {
  readonly count: number;
  readonly at: (rowIndex: number) => ReadRow | undefined;
  /** The pages that were read, each with the index of its first row. */
  readonly pages: readonly (readonly [number, RowList])[];
}

interface RowChanges {
  readonly staged: Staged;
  /** New rows that were saved and stay at the top. */
  readonly saved?: readonly StoredRow[];
}

export function shownRows(
  table: Table,
  read: ReadRows,
  { staged, saved = [] }: RowChanges,
): ShownRows {
  const created = [...staged.created];
  const top = created.length + saved.length;
  const savedInPages = findInPages(table, read, new Set(saved.map(({ id }) => id)));
  const hidden = [...savedInPages.values()]
    .map((found) => found.listIndex)
    .toSorted((a, b) => a - b);
  const listIndex = (rowIndex: number): number =>
    hidden.reduce((index, other) => (other <= index ? index + 1 : index), rowIndex - top);
  const cache = new Map<number, ShownRow | undefined>();
  const find = (rowIndex: number): ShownRow | undefined => {
    const newRow = created[rowIndex];
    if (newRow !== undefined) return { kind: 'new', number: newRow[0], values: newRow[1] };
    const savedNew = saved[rowIndex - created.length];
    if (savedNew !== undefined)
      return savedNewRow(
        savedNew,
        shownStoredRow(table, savedInPages.get(savedNew.id), staged),
        staged,
      );
    return shownStoredRow(table, read.at(listIndex(rowIndex)), staged);
  };
  // Cached, because each cell of a row reads it.
  const at = (rowIndex: number): ShownRow | undefined => {
    if (!cache.has(rowIndex)) cache.set(rowIndex, find(rowIndex));
    return cache.get(rowIndex);
  };
  const keysAtTop = [...created.map(([number]) => newRowKey(number)), ...saved.map(({ id }) => id)];
  return {
    count: top + Math.max(0, read.count - hidden.length),
    at,
    listIndex,
    withKeys: (keys) => {
      const inPages = [...findInPages(table, read, keys).values()]
        .map(({ listIndex: index }) => index)
        .filter((index) => !hidden.includes(index))
        .map((index) => top + index - hidden.filter((other) => other < index).length);
      const atTop = keysAtTop.flatMap((key, index) => (keys.has(key) ? [index] : []));
      return [...atTop, ...inPages.toSorted((a, b) => a - b)]
        .map(at)
        .filter((shownRow) => shownRow !== undefined);
    },
    indexOf: (key, near) => {
      const shownRow = at(near);
      if (shownRow !== undefined && rowKeyOf(shownRow) === key) return near;
      const atTop = keysAtTop.indexOf(key);
      if (atTop >= 0) return atTop;
      const found = findInPages(table, read, new Set([key])).get(key)?.listIndex;
      return found === undefined
        ? undefined
        : top + found - hidden.filter((other) => other < found).length;
    },
  };
}

/** A row that was read, and its index in the list. */
interface FoundRow extends ReadRow {
  readonly listIndex: number;
}

/** Finds rows by their ids in the pages that were read. */
function findInPages(
  table: Table,
  { pages }: ReadRows,
  ids: ReadonlySet<string>,
): ReadonlyMap<string, FoundRow> {
  const found = new Map<string, FoundRow>();
  if (ids.size === 0) return found;
  for (const [start, page] of pages)
    page.data.forEach((row, index) => {
      const id = rowId(table, row);
      if (id !== undefined && ids.has(id) && !found.has(id))
        found.set(id, { page, index, listIndex: start + index });
    });
  return found;
}

/** A saved new row as it was read, or as the response to its save has it if the page does not contain it. */
function savedNewRow(storedRow: StoredRow, read: ShownRow | undefined, staged: Staged): ShownRow {
  if (read?.kind === 'stored') return { ...read, isSavedNew: true };
  return {
    kind: 'stored',
    stored: storedRow,
    row: storedRow.row,
    values: staged.edits.get(storedRow.id)?.values ?? {},
    isRemoved: staged.removed.has(storedRow.id),
    isSavedNew: true,
    labels: undefined,
  };
}

function shownStoredRow(
  table: Table,
  found: ReadRow | undefined,
  staged: Staged,
): ShownRow | undefined {
  const row = found?.page.data[found.index];
  if (found === undefined || row === undefined) return undefined;
  const { page, index } = found;
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
export function shownValue(shownRow: ShownRow, column: string): Cell | undefined {
  if (Object.hasOwn(shownRow.values, column)) return shownRow.values[column];
  return shownRow.kind === 'new' ? undefined : (ownValue(shownRow.row, column) ?? null);
}

/** Returns all values of a row, staged changes included. */
export function rowValuesOf(shownRow: ShownRow): Row {
  return shownRow.kind === 'new' ? shownRow.values : { ...shownRow.row, ...shownRow.values };
}

/** Returns the title of the row that a foreign key value references. */
export function labelOf(shownRow: ShownRow, column: string): Cell | undefined {
  if (shownRow.kind === 'new') return undefined;
  const labels = ownValue(shownRow.labels ?? {}, column);
  return labels?.[cellText(shownValue(shownRow, column) ?? null)];
}
