import type { EditTarget } from '../editing/edit-target.ts';
import type { Selection } from '../grid/selection.ts';
import type { KeptLayout } from './column-layout.ts';
import type { ViewProps } from './toolbar.tsx';
import type { TableRows } from './use-rows.ts';

export interface RowsGridProps extends ViewProps, EditTarget {
  readonly read: TableRows;
  readonly kept: KeptLayout;
  /** The first so many columns stay in view. */
  readonly pinned: number;
  readonly selection: Selection | undefined;
  readonly onSelect: (selection: Selection) => void;
}
