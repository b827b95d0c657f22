import type { Cell } from '../../../src/contract/client.ts';
import type { Column, Table } from '../api/queries.ts';
import type { Place } from '../grid/selection.ts';
import type { ShownRow, ShownRows } from './shown-rows.ts';
import { revertValue, stageNewValue, stageValue } from './staged.ts';
import type { Staged } from './staged.ts';
import type { StagedTable } from './staged-store.ts';

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

/** Returns why a cell cannot be edited, or undefined when it can. */
export function offReason(props: EditTarget, { row, column }: Place): string | undefined {
  const { table, columns, rows, readOnlyReason } = props;
  if (readOnlyReason !== undefined) return readOnlyReason;
  const shown = rows.at(row);
  if (shown === undefined) return 'This row has not been read yet.';
  if (shown.kind === 'stored' && shown.stored === undefined) return noAddressReason(table);
  return columnOffReason(columns[column]);
}

/** Returns why no cell of a column can be edited, or undefined when they can. */
export function columnOffReason(column: Column | undefined): string | undefined {
  return column?.is_generated === true ? 'The database computes this column.' : undefined;
}

export interface PlacedValue {
  readonly place: Place;
  readonly value: Cell | undefined;
}

/** Stages one value. `undefined` means the default in a new row and the stored value in other rows. */
export function putOne(props: EditTarget, staged: Staged, { place, value }: PlacedValue): Staged {
  const shown = props.rows.at(place.row);
  const column = props.columns[place.column]?.name;
  return shown === undefined || column === undefined
    ? staged
    : stageShown(staged, shown, { [column]: value });
}

/** Stages values of a row, by column name. */
export function stageShown(
  staged: Staged,
  shown: ShownRow,
  values: Readonly<Record<string, Cell | undefined>>,
): Staged {
  return Object.entries(values).reduce((next, [column, value]) => {
    if (shown.kind === 'new') return stageNewValue(next, shown.number, [column, value]);
    if (shown.stored === undefined) return next;
    return value === undefined
      ? revertValue(next, shown.stored, column)
      : stageValue(next, shown.stored, [column, value]);
  }, staged);
}

/** Returns why stored rows cannot be changed. New rows can still be added. */
export function noAddressReason(table: Table): string {
  return table.row_key.length === 0
    ? 'Rows of this table have no key: the studio could not say which of them to change.'
    : 'This row has no address.';
}
