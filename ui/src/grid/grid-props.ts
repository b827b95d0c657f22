import type { CSSProperties, KeyboardEvent, ReactNode } from 'react';
import type { Place, Selection } from './selection.ts';

/** A column as the grid shows it. */
export interface GridColumn {
  readonly name: string;
  readonly width: number;
  /** What stands in its head. */
  readonly head: ReactNode;
  /** Numbers stand on the right. */
  readonly isNumber?: boolean;
  readonly sort?: 'ascending' | 'descending';
}

export interface GridProps {
  readonly label: string;
  readonly columns: readonly GridColumn[];
  /** The first so many columns stay in view. */
  readonly pinned?: number;
  readonly rowCount: number;
  /** The number of the first row, from 1. */
  readonly firstRow: number;
  /** Rows on all pages, when that is known. */
  readonly totalRows?: number | undefined;
  readonly selection: Selection | undefined;
  readonly onSelect: (selection: Selection) => void;
  readonly renderCell: (place: Place) => ReactNode;
  readonly cellClass?: (place: Place) => string;
  readonly rowClass?: (row: number) => string;
  /** What stands before a row instead of its number. */
  readonly gutter?: (row: number) => ReactNode;
  readonly onResize?: (column: string, width: number) => void;
  /** A head was dropped on another: the one that is dragged, and where it goes. */
  readonly onMove?: (column: string, to: string) => void;
  /** A key that moves nothing: Enter, Delete, a letter … */
  readonly onKey?: (event: KeyboardEvent<HTMLDivElement>, selection: Selection) => void;
  readonly onOpen?: (place: Place) => void;
  /** A touch or click, which is no scrolling. */
  readonly onTap?: ((place: Place) => void) | undefined;
  /** A menu is asked for, by the right button or its key, at a place of the window. */
  readonly onMenu?: (place: Place, at: Point) => void;
  /** The rows in view have changed: the first, and the last. */
  readonly onRange?: (first: number, last: number) => void;
  /** Shown over the rows: an editor in its cell, a hover card. */
  readonly children?: ReactNode;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A column that is in view, and where it begins. */
export interface ShownColumn {
  readonly index: number;
  readonly start: number;
  readonly isPinned: boolean;
}

/** Room for the rows' numbers; a phone has none to spare. */
export const gutterWidth = { desk: 44, phone: 0 } as const;
export const rowHeight = { desk: 28, phone: 46 } as const;
export const headHeight = { desk: 42, phone: 46 } as const;

export function placed({ start }: ShownColumn, width: number): CSSProperties {
  return { insetInlineStart: start, width };
}

/** Cells are named by their place, so that the grid can say which one is active. */
export function cellId({ row, column }: Place): string {
  return `cell-${row}-${column}`;
}
