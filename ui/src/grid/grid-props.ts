import type { CSSProperties, KeyboardEvent, ReactNode } from 'react';
import type { CellPosition, Selection } from './selection.ts';

/** A column of the grid. */
export interface GridColumn {
  readonly name: string;
  readonly width: number;
  /** The content of its header. */
  readonly head: ReactNode;
  /** Numbers are aligned to the right. */
  readonly isNumber?: boolean;
  readonly sort?: 'ascending' | 'descending';
}

export interface GridProps {
  readonly label: string;
  readonly columns: readonly GridColumn[];
  /** The number of leading columns that stay visible when scrolling. */
  readonly pinned?: number;
  readonly rowCount: number;
  /** The number of the first row, from 1. */
  readonly firstRow: number;
  /** The number of rows on all pages, if it is known. */
  readonly totalRows?: number | undefined;
  readonly selection: Selection | undefined;
  /** Where the arrow keys start if nothing is selected because the selected row is no longer shown. */
  readonly resumeAt?: CellPosition | undefined;
  readonly onSelect: (selection: Selection) => void;
  readonly renderCell: (position: CellPosition) => ReactNode;
  readonly cellClass?: (position: CellPosition) => string;
  readonly rowClass?: (row: number) => string;
  /** A label in front of a row, instead of its number. */
  readonly gutter?: (row: number) => ReactNode;
  /** Shown above the labels. */
  readonly gutterHead?: ReactNode;
  /** The width of the labels. By default, that of the row numbers. */
  readonly gutterWidth?: number;
  /** When it changes, the grid scrolls to its first row. */
  readonly scrollKey?: string;
  /** Whether the rows are about to be replaced by others. */
  readonly isWaiting?: boolean;
  readonly onResize?: (column: string, width: number) => void;
  /** Called when a header is dropped on another one. */
  readonly onMove?: (column: string, to: string) => void;
  /** Called for keys that do not move the selection: Enter, Delete, a letter … */
  readonly onKey?: (event: KeyboardEvent<HTMLDivElement>, selection: Selection) => void;
  readonly onOpen?: (position: CellPosition) => void;
  /** Called for a tap or click that is not part of scrolling. */
  readonly onTap?: ((position: CellPosition) => void) | undefined;
  /** Called when a menu is requested by right click or the menu key, with the position in the window. */
  readonly onMenu?: (position: CellPosition, at: Point) => void;
  /** Called when other rows come into view, with the first and the last one. */
  readonly onRange?: (first: number, last: number) => void;
  /** Shown over the rows: an editor in its cell, a hover card. */
  readonly children?: ReactNode;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A column in view, and its left edge. */
export interface ShownColumn {
  readonly index: number;
  readonly start: number;
  readonly isPinned: boolean;
}

const minGutterWidth = 44;
const digitWidth = 7.2;

/** The width of the row numbers up to the last one, with space for a state icon before them. */
export function numbersWidth(lastRow: number): number {
  return Math.ceil(Math.max(minGutterWidth, String(lastRow).length * digitWidth + 28));
}

/** Phones do not show row numbers. */
export function gutterWidthOf(
  { gutterWidth, firstRow, rowCount, totalRows = 0 }: GridProps,
  device: 'desktop' | 'phone',
): number {
  if (device === 'phone') return 0;
  return gutterWidth ?? numbersWidth(Math.max(firstRow + rowCount, totalRows));
}

export const rowHeight = { desktop: 28, phone: 46 } as const;
export const headHeight = { desktop: 42, phone: 46 } as const;

export function cellBox({ start }: ShownColumn, width: number): CSSProperties {
  return { insetInlineStart: start, width };
}

/** Element ids of cells contain their position, for `aria-activedescendant`. */
export function cellId({ row, column }: CellPosition): string {
  return `cell-${row}-${column}`;
}
