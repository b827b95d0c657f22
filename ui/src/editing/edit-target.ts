import type { Cell } from '../../../src/contract/client.ts';
import { keyColumns } from '../api/row-key.ts';
import type { Column, Table } from '../api/queries.ts';
import type { Place } from '../grid/selection.ts';
import type { ShownRow } from './shown-rows.ts';
import { revertValue, stageNewValue, stageValue } from './staged.ts';
import type { Staged } from './staged.ts';
import type { StagedTable } from './staged-store.ts';

/** A grid of rows that may be changed. */
export interface EditTarget {
  readonly table: Table;
  readonly rows: readonly ShownRow[];
  readonly store: StagedTable;
  /** Why nothing can be changed here. */
  readonly readOnlyReason: string | undefined;
}

/** Why a cell cannot be edited; undefined when it can. */
export function offReason(props: EditTarget, { row, column }: Place): string | undefined {
  const { table, rows, readOnlyReason } = props;
  if (readOnlyReason !== undefined) return readOnlyReason;
  const shown = rows[row];
  if (shown?.kind === 'known' && shown.known === undefined) return noAddressReason(table);
  return columnOffReason(table.columns[column]);
}

function columnOffReason(column: Column | undefined): string | undefined {
  if (column?.is_generated === true) return 'The database computes this column.';
  return column?.kind === 'binary'
    ? 'Binary is uploaded in the record beside the grid.'
    : undefined;
}

export interface PlacedValue {
  readonly place: Place;
  readonly value: Cell | undefined;
}

/** `undefined` is the default in a new row, and the value that was read in another. */
export function putOne(props: EditTarget, staged: Staged, { place, value }: PlacedValue): Staged {
  const shown: ShownRow | undefined = props.rows[place.row];
  const column = props.table.columns[place.column]?.name;
  if (shown === undefined || column === undefined) return staged;
  if (shown.kind === 'new') return stageNewValue(staged, shown.number, [column, value]);
  if (shown.known === undefined) return staged;
  return value === undefined
    ? revertValue(staged, shown.known, column)
    : stageValue(staged, shown.known, [column, value]);
}

/** Why rows that are there cannot be changed, though new ones can be made. */
function noAddressReason(table: Table): string {
  return keyColumns(table) === undefined
    ? 'Rows of this table have no key: the studio could not say which of them to change.'
    : 'This row has no address.';
}
