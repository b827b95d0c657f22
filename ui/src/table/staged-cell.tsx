import type { JSX } from 'react';
import { CellView } from '../cells/cell-view.tsx';
import { ReferenceCell } from '../editing/reference-cell.tsx';
import { saveErrorAt } from '../editing/save-error.ts';
import { labelOf, rowValuesOf, shownValue } from '../editing/shown-rows.ts';
import type { CellPosition } from '../grid/selection.ts';
import { foreignKeyOf } from '../record/reference.ts';
import { CellError } from './cell-error.tsx';
import { keyText } from './key-text.ts';
import type { RowsGridProps } from './rows-grid-props.ts';

interface StagedCellProps extends RowsGridProps {
  readonly position: CellPosition;
  readonly isPhone: boolean;
}

/** A cell of the grid with its staged value. */
export function StagedCell(props: StagedCellProps): JSX.Element | null {
  const { table, columns, rows, store, position, isPhone } = props;
  const column = columns[position.column];
  const shownRow = rows.at(position.row);
  if (column === undefined || shownRow === undefined) return null;
  const value = shownValue(shownRow, column.name);
  const isChanged = shownRow.kind === 'stored' && Object.hasOwn(shownRow.values, column.name);
  const saveError = saveErrorAt(store, shownRow, column.name);
  const label = labelOf(shownRow, column.name);
  const isStaged = Object.hasOwn(shownRow.values, column.name);
  const isOutsidePage = shownRow.kind === 'stored' && shownRow.isSavedNew === true;
  // As in a page of rows, only keys of one column have labels.
  const needsLabel =
    foreignKeyOf(table, column)?.columns.length === 1 &&
    label === undefined &&
    value !== undefined &&
    value !== null &&
    (isStaged || isOutsidePage);
  return (
    <>
      {needsLabel ? (
        <ReferenceCell table={table} column={column} row={rowValuesOf(shownRow)} value={value} />
      ) : (
        <CellView value={value} column={column} label={label} />
      )}
      {isPhone && position.column === 0 && !column.is_primary_key && (
        <small className="key-below num">{keyText(table.primary_key, rowValuesOf(shownRow))}</small>
      )}
      {(isChanged || saveError !== undefined) && <i className="corner" />}
      {saveError !== undefined && <CellError message={saveError} />}
    </>
  );
}

export function cellClass(
  { columns, rows, store }: RowsGridProps,
  position: CellPosition,
  isPhone: boolean,
): string {
  const shownRow = rows.at(position.row);
  const name = columns[position.column]?.name ?? '';
  const twoLinesClass = isPhone && position.column === 0 ? 'two ' : '';
  if (shownRow === undefined) return twoLinesClass;
  if (saveErrorAt(store, shownRow, name) !== undefined) return `${twoLinesClass}bad`;
  return shownRow.kind === 'stored' && Object.hasOwn(shownRow.values, name)
    ? `${twoLinesClass}mod`
    : twoLinesClass;
}

export function rowClass({ table, rows }: RowsGridProps, row: number): string {
  const shown = rows.at(row);
  if (shown?.kind === 'new') return 'new';
  if (shown === undefined) return 'unread';
  if (shown.isRemoved) return 'del';
  const { soft_delete_column: deletion } = table;
  const isSoftDeleted = deletion !== null && (shownValue(shown, deletion) ?? null) !== null;
  const isChanged = Object.keys(shown.values).length > 0;
  if (shown.isSavedNew === true && !isChanged) return 'new saved';
  return `${isSoftDeleted ? 'gone' : ''} ${isChanged ? 'mod' : ''}`;
}
