import type { RowList } from '../api/queries.ts';
import type { EditTarget } from '../editing/edit-target.ts';
import type { Selection } from '../grid/selection.ts';
import type { ViewProps } from './toolbar.tsx';

export interface RowsGridProps extends ViewProps, EditTarget {
  readonly answer: RowList | undefined;
  readonly selection: Selection | undefined;
  readonly onSelect: (selection: Selection) => void;
}
