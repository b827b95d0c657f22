import type { Cell } from '../../../src/contract/client/client.ts';
import type { Column, Table } from '../api/queries.ts';
import type { CellPosition } from '../grid/selection.ts';
import { newRowKey } from './shown-rows.ts';
import type { ShownRow, ShownRows } from './shown-rows.ts';
import { isNumberColumn } from '../cells/value-kind.ts';
import { ownValue } from '../cells/own-value.ts';
import { rowAfterSaves } from './rows-after-saves.ts';
import { isNumberCell, revertValue, stageNewValue, stageValue } from './staged.ts';
import type { Staged, StoredRow } from './staged.ts';
import type { StagedTable } from './staged-store.ts';
import { editingTexts as texts } from '../texts/editing.ts';

/** What a grid needs to know to change its rows. */
export interface EditTarget {
  readonly table: Table;
  /** The visible columns, in display order. */
  readonly columns: readonly Column[];
  readonly rows: ShownRows;
  readonly store: StagedTable;
  /** Why the rows cannot be changed. Undefined when they can. */
  readonly readOnlyReason: string | undefined;
}

/** In the mode that scrolls all rows, only the rows around those in view are read. */
export const notReadReason = texts.rowsNotLoaded;

/** Returns why a cell cannot be edited, or undefined when it can. */
export function disabledReason(
  props: EditTarget,
  { row, column }: CellPosition,
): string | undefined {
  const { table, columns, rows, readOnlyReason } = props;
  if (readOnlyReason !== undefined) return readOnlyReason;
  const shownRow = rows.at(row);
  if (shownRow === undefined) return notReadReason;
  if (shownRow.kind === 'stored' && shownRow.stored === undefined) return noKeyReason(table);
  return columnDisabledReason(columns[column]);
}

/** Returns why no cell of a column can be edited, or undefined when they can. */
export function columnDisabledReason(column: Column | undefined): string | undefined {
  return column?.is_generated === true ? texts.generatedColumn : undefined;
}

export interface PlacedValue {
  readonly position: CellPosition;
  readonly value: Cell | undefined;
}

/** Stages one value. `undefined` means the default in a new row and the stored value in other rows. */
export function stageValueAt(
  props: EditTarget,
  staged: Staged,
  { position, value }: PlacedValue,
): Staged {
  const shownRow = props.rows.at(position.row);
  const column = props.columns[position.column]?.name;
  return shownRow === undefined || column === undefined
    ? staged
    : stageShownRow(staged, { table: props.table, shown: shownRow }, { [column]: value });
}

interface EditedRow {
  readonly table: Table;
  readonly shown: ShownRow;
}

/** Stages values of a row, by column name. A new row that was saved meanwhile is edited as stored. */
export function stageShownRow(
  staged: Staged,
  { table, shown }: EditedRow,
  values: Readonly<Record<string, Cell | undefined>>,
): Staged {
  return Object.entries(values).reduce((next, [column, value]) => {
    if (shown.kind === 'new' && next.created.has(shown.number))
      return stageNewValue(next, shown.number, [column, value]);
    const storedRow = shown.kind === 'new' ? savedNewRow(table, shown.number) : shown.stored;
    if (storedRow === undefined) return next;
    return value === undefined
      ? revertValue(next, storedRow, column)
      : stageValue(next, storedRow, [
          column,
          storedNumberIfEqual(table, storedRow, [column, value]),
        ]);
  }, staged);
}

/** Returns the stored row that a new row became. Undefined if it was not saved, or has been deleted since. */
export function savedNewRow({ name }: Table, number: number): StoredRow | undefined {
  return rowAfterSaves({ table: name, key: newRowKey(number), since: 0 }).version;
}

/** Typed numbers are strings of digits. Returns the number that was read if it has the same digits. */
function storedNumberIfEqual(
  { columns }: Table,
  { row }: StoredRow,
  [name, value]: readonly [string, Cell],
): Cell {
  const column = columns.find((other) => other.name === name);
  const read = ownValue(row, name);
  const isTypedNumber = column !== undefined && isNumberColumn(column) && typeof value === 'string';
  return isTypedNumber && isNumberCell(read) && String(read) === value ? read : value;
}

/** Returns why stored rows cannot be changed. New rows can still be added. */
export function noKeyReason(table: Table): string {
  return table.row_key.length === 0 ? texts.tableWithoutKey : texts.rowWithoutKey;
}
