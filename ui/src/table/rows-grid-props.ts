import type { EditTarget } from '../editing/edit-target.ts';
import type { CellPosition, Selection } from '../grid/selection.ts';
import type { CheckedRows } from './checked-rows.ts';
import type { ColumnLayoutStore } from './column-layout.ts';
import type { ViewProps } from './toolbar.tsx';
import type { TableRows } from './use-rows.ts';

export interface RowsGridProps extends ViewProps, EditTarget {
  readonly read: TableRows;
  /** The filters, sort and page of the rows that are shown. */
  readonly loadedView: string;
  /** The widths of the columns that the user has not resized, by name. */
  readonly fittedWidths: ReadonlyMap<string, number>;
  readonly checked: CheckedRows;
  readonly layoutStore: ColumnLayoutStore;
  /** The number of leading columns that stay visible when scrolling. */
  readonly pinned: number;
  readonly selection: Selection | undefined;
  readonly resumeAt: CellPosition | undefined;
  readonly onSelect: (selection: Selection) => void;
}
