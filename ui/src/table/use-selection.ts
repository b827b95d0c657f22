import { useState } from 'react';
import type { EditTarget } from '../editing/edit-target.ts';
import { findRow } from '../editing/find-row.ts';
import { rowAfterSaves, saveCount } from '../editing/rows-after-saves.ts';
import { rowKeyOf } from '../editing/shown-rows.ts';
import type { ShownRows } from '../editing/shown-rows.ts';
import { blockOf, selectCell } from '../grid/selection.ts';
import type { CellPosition, Selection } from '../grid/selection.ts';

type SelectedTable = Pick<EditTarget, 'table' | 'columns' | 'rows'>;

/** A selection, and the records and columns that it is about. */
interface HeldSelection {
  readonly selection: Selection;
  /** The keys of its rows, by row index. It has none of rows that have not been read. */
  readonly rowKeys: ReadonlyMap<number, string>;
  /** The names of its columns, by column index. */
  readonly columnNames: ReadonlyMap<number, string>;
  /** How many saves there had been. */
  readonly since: number;
}

/** Of larger blocks only the active row is followed. Some of their rows are not read, so nothing can change them. */
const maxFollowedRows = 2000;

interface SelectedCells {
  readonly selection: Selection | undefined;
  /** Where the row was that was selected, if it is no longer shown. It is selected again if it comes back. */
  readonly resumeAt: CellPosition | undefined;
  readonly select: (selection: Selection) => void;
}

/**
 * The selected cells. They belong to records and columns: rows that are added, saved or sorted move
 * the selection with them, so that the next key does not act on another record.
 */
export function useSelection(target: SelectedTable): SelectedCells {
  const [heldSelection, setHeld] = useState<HeldSelection>();
  const next = heldSelection === undefined ? undefined : follow(target, heldSelection);
  if (next !== undefined && next !== heldSelection) setHeld(next);
  const isGone = heldSelection !== undefined && next === undefined;
  return {
    selection: next?.selection,
    resumeAt: isGone
      ? { row: heldSelection.selection.active.row, column: columnNow(target, heldSelection) }
      : undefined,
    select: (selection) => setHeld(hold(target, selection)),
  };
}

function hold({ rows, columns }: SelectedTable, selection: Selection): HeldSelection {
  const { top, bottom, left, right } = blockOf(selection);
  const { row: activeRow } = selection.active;
  const isLarge = bottom - top >= maxFollowedRows;
  const rowKeys = new Map<number, string>();
  for (let row = isLarge ? activeRow : top; row <= (isLarge ? activeRow : bottom); row++) {
    const key = keyAt(rows, row);
    if (key !== undefined) rowKeys.set(row, key);
  }
  const columnNames = new Map(
    columns.slice(left, right + 1).map(({ name }, i) => [left + i, name] as const),
  );
  return { selection, rowKeys, columnNames, since: saveCount() };
}

function keyAt(rows: ShownRows, row: number): string | undefined {
  const shownRow = rows.at(row);
  return shownRow === undefined ? undefined : rowKeyOf(shownRow);
}

/**
 * Returns the selection where its cells are now, or the same one if they have not moved. A block
 * whose cells are no longer together becomes its active cell. There is no selection left if the
 * active record is not shown any more, except after its deletion: then the next record is selected.
 */
function follow(target: SelectedTable, heldSelection: HeldSelection): HeldSelection | undefined {
  const { active } = heldSelection.selection;
  const row = rowNow(target, heldSelection);
  if (row === undefined) return undefined;
  const column = columnNow(target, heldSelection);
  const by = { rows: row - active.row, columns: column - active.column };
  if (isTogether(target, heldSelection, by)) {
    if (by.rows === 0 && by.columns === 0)
      return isComplete(target, heldSelection)
        ? heldSelection
        : hold(target, heldSelection.selection);
    return hold(target, {
      active: { row, column },
      end: movedBy(heldSelection.selection.end, by),
    });
  }
  return hold(target, selectCell({ row, column }));
}

interface Distance {
  readonly rows: number;
  readonly columns: number;
}

function movedBy({ row, column }: CellPosition, { rows, columns }: Distance): CellPosition {
  return { row: row + rows, column: column + columns };
}

/** Where the active row is now. */
function rowNow({ table, rows }: SelectedTable, heldSelection: HeldSelection): number | undefined {
  const { row } = heldSelection.selection.active;
  const lastRow = rows.count - 1;
  const key = heldSelection.rowKeys.get(row);
  if (key === undefined) return row <= lastRow ? row : undefined;
  const rowAtSave = { table: table.name, key, since: heldSelection.since };
  const found = findRow(rows, rowAtSave, row);
  if (found !== undefined) return found;
  // The row may be among those that have not been read.
  const isUnread = row <= lastRow && rows.at(row) === undefined;
  const isDeleted = rowAfterSaves(rowAtSave).key === undefined;
  if (isUnread) return row;
  return isDeleted && lastRow >= 0 ? Math.min(row, lastRow) : undefined;
}

/** Where the active column is now. The next one if it is hidden. */
function columnNow({ columns }: SelectedTable, heldSelection: HeldSelection): number {
  const { column } = heldSelection.selection.active;
  const name = heldSelection.columnNames.get(column);
  const found = columns.findIndex((other) => other.name === name);
  return found < 0 ? Math.max(0, Math.min(column, columns.length - 1)) : found;
}

/** Whether all cells of the block have moved by the same distance. */
function isTogether(
  { table, rows, columns }: SelectedTable,
  heldSelection: HeldSelection,
  by: Distance,
): boolean {
  const { since } = heldSelection;
  const areColumnsTogether = [...heldSelection.columnNames].every(
    ([column, name]) => columns[column + by.columns]?.name === name,
  );
  return (
    areColumnsTogether &&
    [...heldSelection.rowKeys].every(([row, key]) => {
      const rowIndex = row + by.rows;
      const currentKey = keyAt(rows, rowIndex);
      // A row within the list may not have been read yet.
      if (currentKey === undefined) return rowIndex < rows.count && rows.at(rowIndex) === undefined;
      return (
        currentKey === key || currentKey === rowAfterSaves({ table: table.name, key, since }).key
      );
    })
  );
}

/** Whether no row has been read since the cells were selected. */
function isComplete({ rows }: SelectedTable, { selection, rowKeys }: HeldSelection): boolean {
  const { top, bottom } = blockOf(selection);
  if (bottom - top >= maxFollowedRows) return true;
  for (let row = top; row <= bottom; row++)
    if (!rowKeys.has(row) && keyAt(rows, row) !== undefined) return false;
  return true;
}
