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

/** A cell with what is staged for it. */
export function PlacedCell(props: PlacedCellProps): JSX.Element | null {
  const { table, columns, rows, store, place, isPhone } = props;
  const column = columns[place.column];
  const shown = rows.at(place.row);
  if (column === undefined || shown === undefined) return null;
  const value = shownValue(shown, column.name);
  const isChanged = shown.kind === 'known' && Object.hasOwn(shown.values, column.name);
  const isRefused = isRefusedAt(store, shown, column.name);
  return (
    <>
      <CellView value={value} column={column} label={labelOf(shown, column.name)} />
      {isPhone && place.column === 0 && !column.is_primary_key && (
        <small className="key-below num">{keyText(table.primary_key, shown)}</small>
      )}
      {(isChanged || isRefused) && <i className="corner" />}
      {isRefused && <span className="cell-told err">{store.refusal?.message}</span>}
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
  if (isRefusedAt(store, shown, name)) return `${two}bad`;
  return shown.kind === 'known' && Object.hasOwn(shown.values, name) ? `${two}mod` : two;
}

function isRefusedAt({ refusal }: StagedTable, shown: ShownRow, column: string): boolean {
  if (refusal === undefined || (refusal.column !== undefined && refusal.column !== column))
    return false;
  const isRow =
    shown.kind === 'new'
      ? refusal.number === shown.number
      : refusal.id !== undefined && refusal.id === shown.known?.id;
  return isRow && (refusal.column === column || Object.hasOwn(shown.values, column));
}

export function rowClass({ table, rows }: RowsGridProps, row: number): string {
  const shown = rows.at(row);
  if (shown?.kind === 'new') return 'new';
  if (shown === undefined) return 'unread';
  if (shown.isRemoved) return 'del';
  const { soft_delete_column: deletion } = table;
  const isGone = deletion !== null && (shownValue(shown, deletion) ?? null) !== null;
  const isChanged = Object.keys(shown.values).length > 0;
  return `${isGone ? 'gone' : ''} ${isChanged ? 'mod' : ''}`;
}

export function gutterOf({ rows, view, store }: RowsGridProps, row: number): JSX.Element {
  const shown = rows.at(row);
  if (shown?.kind === 'new') return <span>+</span>;
  const before = view.pageSize === allRows ? 0 : (view.page - 1) * view.pageSize;
  const isRemoved = shown?.kind === 'known' && shown.isRemoved;
  return (
    <>
      <span>{isRemoved ? '−' : ''}</span>
      <span className="no">{before + 1 + row - store.staged.created.size}</span>
    </>
  );
}
