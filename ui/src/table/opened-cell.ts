import type { Cell } from '../../../src/contract/client/client.ts';
import type { Column, Table } from '../api/queries.ts';
import type { EditedValues } from '../editing/cell-editor/cell-editor-props.ts';
import { savedNewRow, stageShownRow } from '../editing/edit-target.ts';
import type { EditTarget } from '../editing/edit-target.ts';
import { findRow } from '../editing/find-row.ts';
import { rowAfterSaves } from '../editing/rows-after-saves.ts';
import type { RowAtSave } from '../editing/rows-after-saves.ts';
import { rowKeyOf, shownValue } from '../editing/shown-rows.ts';
import type { ShownRow } from '../editing/shown-rows.ts';
import { isSame } from '../editing/staged.ts';
import { stagedTable } from '../editing/staged-store.ts';
import { cellId } from '../grid/grid-props.ts';
import type { CellPosition } from '../grid/selection.ts';
import { showToast } from '../parts/toast.tsx';
import { tableTexts as texts } from '../texts/table.ts';

/** The cell that is being edited. It belongs to a record and a column: rows and columns may move. */
export interface OpenedCell {
  /** The row as it was when the editor opened. */
  readonly shown: ShownRow;
  readonly column: Column;
  /** How many saves there had been when the editor opened. */
  readonly since: number;
  /** Where the cell was when the editor opened. */
  readonly position: CellPosition;
  /** The character that opened the editor. */
  readonly typed: string | undefined;
  /** The horizontal scroll position of the grid, in pixels. */
  readonly scrolled: number;
}

/** Returns the horizontal scroll position of the grid. */
export function scrolledAt(position: CellPosition): number {
  return document.getElementById(cellId(position))?.closest('.grid')?.scrollLeft ?? 0;
}

type ShownTable = Pick<EditTarget, 'table' | 'columns' | 'rows'>;

/** Returns where the cell is now. Undefined if its record or its column is no longer shown. */
export function positionOf(
  { table, rows, columns }: ShownTable,
  openedCell: OpenedCell,
): CellPosition | undefined {
  const opening = rowAtOpening(table, openedCell);
  const row = opening === undefined ? undefined : findRow(rows, opening, openedCell.position.row);
  const column = columns.findIndex(({ name }) => name === openedCell.column.name);
  return row === undefined || column < 0 ? undefined : { row, column };
}

function rowAtOpening({ name }: Table, { shown, since }: OpenedCell): RowAtSave | undefined {
  const key = rowKeyOf(shown);
  return key === undefined ? undefined : { table: name, key, since };
}

/** Stages what was typed, for the record and the column that the editor was opened on. */
export function stageFinished(
  props: ShownTable,
  openedCell: OpenedCell,
  values: EditedValues,
): void {
  const { table } = props;
  if (Object.keys(values).length === 0) return;
  const { shown } = openedCell;
  const isDropped =
    shown.kind === 'new' &&
    savedNewRow(table, shown.number) === undefined &&
    !stagedTable(table.name).staged.created.has(shown.number);
  if (isDropped) {
    const detail = texts.newRowRemoved({ values: JSON.stringify(values) });
    showToast({ kind: 'error', title: texts.inputDiscarded, detail });
    return;
  }
  stagedTable(table.name).change((staged) =>
    stageShownRow(staged, { table, shown: versionToEdit(props, openedCell) }, values),
  );
}

/**
 * The version that the edit is based on, which saving compares. It is the latest one, because other
 * columns of the row may have been saved meanwhile. Where the edited value itself has changed, it is
 * the one that the user saw: then saving finds the conflict.
 */
function versionToEdit(props: ShownTable, openedCell: OpenedCell): ShownRow {
  const { name } = openedCell.column;
  const currentRow = rowNow(props, openedCell);
  if (currentRow === undefined || openedCell.shown.kind === 'new')
    return currentRow ?? openedCell.shown;
  const seenValue = shownValue(openedCell.shown, name);
  const value = shownValue(currentRow, name);
  return isSameOrAbsent(seenValue, value) ? currentRow : withKeyOf(currentRow, openedCell.shown);
}

/** The row as it is shown or, if it has left the page, as a save has returned it since. */
function rowNow(props: ShownTable, openedCell: OpenedCell): ShownRow | undefined {
  const position = positionOf(props, openedCell);
  if (position !== undefined) return props.rows.at(position.row);
  const opening = rowAtOpening(props.table, openedCell);
  const version = opening === undefined ? undefined : rowAfterSaves(opening).version;
  if (version === undefined) return undefined;
  const { row } = version;
  return {
    kind: 'stored',
    stored: version,
    row,
    values: {},
    isRemoved: false,
    labels: undefined,
  };
}

/** An edit of the key may have given the row another id. */
function withKeyOf(currentRow: ShownRow, seenRow: ShownRow): ShownRow {
  if (currentRow.kind === 'new' || seenRow.kind === 'new') return seenRow;
  if (currentRow.stored === undefined || seenRow.stored === undefined) return seenRow;
  return { ...seenRow, stored: { ...seenRow.stored, id: currentRow.stored.id } };
}

function isSameOrAbsent(a: Cell | undefined, b: Cell | undefined): boolean {
  return a === undefined || b === undefined ? a === b : isSame(a, b);
}
