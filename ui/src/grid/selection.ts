/** The row and column index of a cell. */
export interface CellPosition {
  readonly row: number;
  readonly column: number;
}

/** The active cell, and the block from there to `end`. */
export interface Selection {
  readonly active: CellPosition;
  readonly end: CellPosition;
}

export interface Extent {
  readonly rows: number;
  readonly columns: number;
}

export interface Block {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

export function blockOf({ active, end }: Selection): Block {
  return {
    top: Math.min(active.row, end.row),
    bottom: Math.max(active.row, end.row),
    left: Math.min(active.column, end.column),
    right: Math.max(active.column, end.column),
  };
}

export function selectCell(position: CellPosition): Selection {
  return { active: position, end: position };
}

/** Whether a cell is selected. */
export function isWithin(
  selection: Selection | undefined,
  position: CellPosition,
): selection is Selection {
  if (selection === undefined) return false;
  const { top, bottom, left, right } = blockOf(selection);
  return (
    position.row >= top &&
    position.row <= bottom &&
    position.column >= left &&
    position.column <= right
  );
}

export interface Step {
  readonly key: string;
  /** Extends the block instead of replacing it. */
  readonly isExtending: boolean;
  /** Moves to the edge of the grid. */
  readonly toEdge: boolean;
  readonly pageRows: number;
}

/** The cell that a key moves to. Undefined for other keys. */
export function moveSelection(
  selection: Selection,
  step: Step,
  extent: Extent,
): Selection | undefined {
  const from = step.isExtending ? selection.end : selection.active;
  const to = target(from, step, extent);
  if (to === undefined) return undefined;
  const position = within(to, extent);
  return step.isExtending ? { active: selection.active, end: position } : selectCell(position);
}

function target(
  from: CellPosition,
  { key, toEdge, pageRows }: Step,
  extent: Extent,
): CellPosition | undefined {
  const { row, column } = from;
  const rowEdge = extent.rows - 1;
  const columnEdge = extent.columns - 1;
  const targets: Readonly<Record<string, CellPosition>> = {
    ArrowUp: { row: toEdge ? 0 : row - 1, column },
    ArrowDown: { row: toEdge ? rowEdge : row + 1, column },
    ArrowLeft: { row, column: toEdge ? 0 : column - 1 },
    ArrowRight: { row, column: toEdge ? columnEdge : column + 1 },
    PageUp: { row: row - pageRows, column },
    PageDown: { row: row + pageRows, column },
    Home: { row: toEdge ? 0 : row, column: 0 },
    End: { row: toEdge ? rowEdge : row, column: columnEdge },
  };
  return targets[key];
}

function within({ row, column }: CellPosition, { rows, columns }: Extent): CellPosition {
  return {
    row: Math.max(0, Math.min(rows - 1, row)),
    column: Math.max(0, Math.min(columns - 1, column)),
  };
}

export type CellStep = 'down' | 'right' | 'left' | 'stay';

/**
 * The cell after an edit. Beyond the last column it is the first one of the next row, and the other way
 * round. The last row has no next one.
 */
export function stepFrom(from: CellPosition, step: CellStep, extent: Extent): CellPosition {
  const { row, column } = from;
  const isOutside = step === 'right' ? column >= extent.columns - 1 : column <= 0;
  const targetCell = {
    stay: from,
    down: { row: row + 1, column },
    right: isOutside ? { row: row + 1, column: 0 } : { row, column: column + 1 },
    left: isOutside ? { row: row - 1, column: extent.columns - 1 } : { row, column: column - 1 },
  }[step];
  return targetCell.row < 0 || targetCell.row >= extent.rows ? from : targetCell;
}

/** The CSS classes of a cell: in the block, at its edges, and active. */
export function selectionClass(
  selection: Selection | undefined,
  { row, column }: CellPosition,
): string {
  if (!isWithin(selection, { row, column })) return '';
  const { top, bottom, left, right } = blockOf(selection);
  const isBlock = top !== bottom || left !== right;
  const isActive = selection.active.row === row && selection.active.column === column;
  return [
    isBlock ? 'sel' : '',
    isBlock && row === top ? 'et' : '',
    isBlock && row === bottom ? 'eb' : '',
    isBlock && column === left ? 'el' : '',
    isBlock && column === right ? 'er' : '',
    isActive ? 'cur' : '',
  ]
    .filter(Boolean)
    .join(' ');
}
