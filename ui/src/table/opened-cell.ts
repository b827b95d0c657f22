import type { Cell } from '../../../src/contract/client.ts';
import type { Column } from '../api/queries.ts';
import type { EditedValues } from '../editing/cell-editor/cell-editor-props.ts';
import { stageShown } from '../editing/edit-target.ts';
import type { EditTarget } from '../editing/edit-target.ts';
import { savedNewRow } from '../editing/saved-new-rows.ts';
import { rowKeyOf, shownValue } from '../editing/shown-rows.ts';
import type { ShownRow } from '../editing/shown-rows.ts';
import { isSame } from '../editing/staged.ts';
import { stagedTable } from '../editing/staged-store.ts';
import type { CellPosition } from '../grid/selection.ts';
import { showToast } from '../parts/toast.tsx';
import { tableTexts as texts } from '../texts/table.ts';

/** The cell that is being edited. It belongs to a record and a column: rows and columns may move. */
export interface OpenedCell {
  /** The row as it was when the editor opened. */
  readonly shown: ShownRow;
  readonly column: Column;
  /** Where the cell was when the editor opened. */
  readonly position: CellPosition;
  /** The character that opened the editor. */
  readonly typed: string | undefined;
  /** The horizontal scroll position of the grid, in pixels. */
  readonly scrolled: number;
}

type ShownTable = Pick<EditTarget, 'table' | 'columns' | 'rows'>;

/** Returns where the cell is now. Undefined if its record or its column is no longer shown. */
export function positionOf(
  { rows, columns }: ShownTable,
  opened: OpenedCell,
): CellPosition | undefined {
  const key = keyNow(opened);
  const row = key === undefined ? undefined : rows.indexOf(key, opened.position.row);
  const column = columns.findIndex(({ name }) => name === opened.column.name);
  return row === undefined || column < 0 ? undefined : { row, column };
}

/** A new row that was saved meanwhile has an id. */
function keyNow({ shown }: OpenedCell): string | undefined {
  const saved = shown.kind === 'new' ? savedNewRow(shown.number) : undefined;
  return saved?.id ?? rowKeyOf(shown);
}

/** Stages what was typed, for the record and the column that the editor was opened on. */
export function stageFinished(props: ShownTable, opened: OpenedCell, values: EditedValues): void {
  const { table } = props;
  if (Object.keys(values).length === 0) return;
  const { shown } = opened;
  const isDropped =
    shown.kind === 'new' &&
    savedNewRow(shown.number) === undefined &&
    !stagedTable(table.name).staged.created.has(shown.number);
  if (isDropped) {
    const detail = texts.newRowRemoved({ values: JSON.stringify(values) });
    showToast({ kind: 'error', title: texts.inputDiscarded, detail });
    return;
  }
  stagedTable(table.name).change((staged) =>
    stageShown(staged, { table, shown: versionToEdit(props, opened) }, values),
  );
}

/**
 * The version that the edit is based on, which saving compares. It is the latest one, because other
 * columns of the row may have been saved meanwhile. Where the edited value itself has changed, it is
 * the one that the user saw: then saving finds the conflict.
 */
function versionToEdit(props: ShownTable, opened: OpenedCell): ShownRow {
  const { name } = opened.column;
  const position = positionOf(props, opened);
  const now = position === undefined ? undefined : props.rows.at(position.row);
  if (now === undefined) return opened.shown;
  const seen = shownValue(opened.shown, name);
  const value = shownValue(now, name);
  return isSameOrAbsent(seen, value) || opened.shown.kind === 'new' ? now : opened.shown;
}

function isSameOrAbsent(a: Cell | undefined, b: Cell | undefined): boolean {
  return a === undefined || b === undefined ? a === b : isSame(a, b);
}
