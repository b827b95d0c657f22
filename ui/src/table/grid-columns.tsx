import type { Column } from '../api/queries.ts';
import { ownValue } from '../cells/own-value.ts';
import { isNumberColumn } from '../cells/value-kind.ts';
import type { GridColumn, Point } from '../grid/grid-props.ts';
import { columnWidth } from './column-width.ts';
import { HeadCell } from './head-cell.tsx';
import type { RowsGridProps } from './rows-grid-props.ts';
import { toggleSort } from './view-state.ts';

type OpenMenu = (column: Column, at: Point) => void;

/** Returns the columns of the grid. There are none before the first rows, which their widths depend on, have loaded. */
export function gridColumns(props: RowsGridProps, onMenu: OpenMenu): readonly GridColumn[] {
  const { columns, view, change, read } = props;
  if (read.pageWithTotal === undefined && read.error === null) return [];
  return columns.map((column) => ({
    name: column.name,
    width: widthOf(props, column),
    isNumber: isNumberColumn(column) && !column.is_foreign_key,
    ...sortOf(view.sort.find((term) => term.column === column.name)?.descending),
    head: (
      <HeadCell
        column={column}
        sort={view.sort}
        onSort={(isAdding) => change({ sort: toggleSort(view.sort, column.name, isAdding) })}
        onMenu={(at) => onMenu(column, at)}
      />
    ),
  }));
}

/** Returns the width that the user has chosen for a column, or else the one that fits its values. */
export function widthOf(
  { layoutStore, fittedWidths }: Pick<RowsGridProps, 'layoutStore' | 'fittedWidths'>,
  column: Column,
): number {
  return (
    ownValue(layoutStore.layout.widths, column.name) ??
    fittedWidths.get(column.name) ??
    columnWidth(column, [])
  );
}

function sortOf(isDescending: boolean | undefined): Pick<GridColumn, 'sort'> {
  if (isDescending === undefined) return {};
  return { sort: isDescending ? 'descending' : 'ascending' };
}
