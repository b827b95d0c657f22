import type { Cell } from '../../../src/contract/client.ts';
import type { Column, Table } from '../api/queries.ts';
import type { Place } from '../grid/selection.ts';
import type { ShownRow, ShownRows } from './shown-rows.ts';
import { revertValue, stageNewValue, stageValue } from './staged.ts';
import type { Staged } from './staged.ts';
import type { StagedTable } from './staged-store.ts';

/** A grid of rows that may be changed. */
export interface EditTarget {
  readonly table: Table;
  /** Those that are shown, in their order. */
  readonly columns: readonly Column[];
  readonly rows: ShownRows;
  readonly store: StagedTable;
  /** Why nothing can be changed here. */
  readonly readOnlyReason: string | undefined;
}

/** Why a cell cannot be edited; undefined when it can. */
export function offReason(props: EditTarget, { row, column }: Place): string | undefined {
  const { table, columns, rows, readOnlyReason } = props;
  if (readOnlyReason !== undefined) return readOnlyReason;
  const shown = rows.at(row);
  if (shown === undefined) return 'This row has not been read yet.';
  if (shown.kind === 'known' && shown.known === undefined) return noAddressReason(table);
  return columnOffReason(columns[column]);
}

/** Why no row's value of a column can be typed; undefined when it can. */
export function columnOffReason(column: Column | undefined): string | undefined {
  return column?.is_generated === true ? 'The database computes this column.' : undefined;
}

export interface PlacedValue {
  readonly place: Place;
  readonly value: Cell | undefined;
}

/** `undefined` is the default in a new row, and the value that was read in another. */
export function putOne(props: EditTarget, staged: Staged, { place, value }: PlacedValue): Staged {
  const shown = props.rows.at(place.row);
  const column = props.columns[place.column]?.name;
  return shown === undefined || column === undefined
    ? staged
    : stageShown(staged, shown, { [column]: value });
}

/** Puts values into a row, by their columns. */
export function stageShown(
  staged: Staged,
  shown: ShownRow,
  values: Readonly<Record<string, Cell | undefined>>,
): Staged {
  return Object.entries(values).reduce((next, [column, value]) => {
    if (shown.kind === 'new') return stageNewValue(next, shown.number, [column, value]);
    if (shown.known === undefined) return next;
    return value === undefined
      ? revertValue(next, shown.known, column)
      : stageValue(next, shown.known, [column, value]);
  }, staged);
}

/** Why rows that are there cannot be changed, though new ones can be made. */
export function noAddressReason(table: Table): string {
  return table.row_key.length === 0
    ? 'Rows of this table have no key: the studio could not say which of them to change.'
    : 'This row has no address.';
}
