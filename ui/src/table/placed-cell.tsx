import type { JSX } from 'react';
import { CellView } from '../cells/cell-view.tsx';
import { cellText } from '../cells/value-kind.ts';
import { labelOf, shownRow, shownValue } from '../editing/shown-rows.ts';
import type { ShownRow } from '../editing/shown-rows.ts';
import type { StagedTable } from '../editing/staged-store.ts';
import type { Place } from '../grid/selection.ts';
import { allRows } from './view-state.ts';
import type { RowsGridProps } from './rows-grid-props.ts';

interface PlacedCellProps extends RowsGridProps {
  readonly place: Place;
  readonly isPhone: boolean;
}

/** A cell of the grid with its staged value. */
export function PlacedCell(props: PlacedCellProps): JSX.Element | null {
  const { table, columns, rows, store, place, isPhone } = props;
  const column = columns[place.column];
  const shown = rows.at(place.row);
  if (column === undefined || shown === undefined) return null;
  const value = shownValue(shown, column.name);
  const isChanged = shown.kind === 'stored' && Object.hasOwn(shown.values, column.name);
  const hasSaveError = hasSaveErrorAt(store, shown, column.name);
  return (
    <>
      <CellView value={value} column={column} label={labelOf(shown, column.name)} />
      {isPhone && place.column === 0 && !column.is_primary_key && (
        <small className="key-below num">{keyText(table.primary_key, shown)}</small>
      )}
      {(isChanged || hasSaveError) && <i className="corner" />}
      {hasSaveError && <span className="cell-error err">{store.saveError?.message}</span>}
    </>
  );
}

function keyText(key: readonly string[], shown: ShownRow): string {
  const row = shownRow(shown);
  return key.map((name) => cellText(row[name] ?? null)).join(', ');
}

export function cellClass(
  { columns, rows, store }: RowsGridProps,
  place: Place,
  isPhone: boolean,
): string {
  const shown = rows.at(place.row);
  const name = columns[place.column]?.name ?? '';
  const two = isPhone && place.column === 0 ? 'two ' : '';
  if (shown === undefined) return two;
  if (hasSaveErrorAt(store, shown, name)) return `${two}bad`;
  return shown.kind === 'stored' && Object.hasOwn(shown.values, name) ? `${two}mod` : two;
}

function hasSaveErrorAt({ saveError }: StagedTable, shown: ShownRow, column: string): boolean {
  if (saveError === undefined || (saveError.column !== undefined && saveError.column !== column))
    return false;
  const isRow =
    shown.kind === 'new'
      ? saveError.number === shown.number
      : saveError.id !== undefined && saveError.id === shown.stored?.id;
  return isRow && (saveError.column === column || Object.hasOwn(shown.values, column));
}

export function rowClass({ table, rows }: RowsGridProps, row: number): string {
  const shown = rows.at(row);
  if (shown?.kind === 'new') return 'new';
  if (shown === undefined) return 'unread';
  if (shown.isRemoved) return 'del';
  const { soft_delete_column: deletion } = table;
  const isSoftDeleted = deletion !== null && (shownValue(shown, deletion) ?? null) !== null;
  const isChanged = Object.keys(shown.values).length > 0;
  return `${isSoftDeleted ? 'gone' : ''} ${isChanged ? 'mod' : ''}`;
}

export function gutterOf({ rows, view, store }: RowsGridProps, row: number): JSX.Element {
  const shown = rows.at(row);
  if (shown?.kind === 'new') return <span>+</span>;
  const before = view.pageSize === allRows ? 0 : (view.page - 1) * view.pageSize;
  const isRemoved = shown?.kind === 'stored' && shown.isRemoved;
  return (
    <>
      <span>{isRemoved ? '−' : ''}</span>
      <span className="no">{before + 1 + row - store.staged.created.size}</span>
    </>
  );
}
