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
  /** A key that moves nothing: Enter, Delete, a letter … */
  readonly onKey?: (event: KeyboardEvent<HTMLDivElement>, selection: Selection) => void;
  readonly onOpen?: (place: Place) => void;
  /** Shown over the rows: an editor in its cell, a hover card. */
  readonly children?: ReactNode;
}

/** A column that is in view, and where it begins. */
export interface ShownColumn {
  readonly index: number;
  readonly start: number;
}

export const gutterWidth = 44;

export function placed(start: number, width: number): CSSProperties {
  return { insetInlineStart: start + gutterWidth, width };
}

/** Cells are named by their place, so that the grid can say which one is active. */
export function cellId({ row, column }: Place): string {
  return `cell-${row}-${column}`;
}
