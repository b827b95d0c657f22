import { useState } from 'react';
import type { JSX } from 'react';
import { CellView } from '../cells/cell-view.tsx';
import { cellText, isNumberColumn } from '../cells/value-kind.ts';
import { shownValue } from '../editing/shown-rows.ts';
import type { ShownRow } from '../editing/shown-rows.ts';
import type { StagedTable } from '../editing/staged-store.ts';
import { Grid } from '../grid/grid.tsx';
import type { GridColumn } from '../grid/grid-props.ts';
import type { Place } from '../grid/selection.ts';
import { columnWidth } from './column-width.ts';
import { HeadCell } from './head-cell.tsx';
import { PlacedEditor } from './placed-editor.tsx';
import { useGridEditing } from './use-grid-editing.ts';
import { toggleSort } from './view-state.ts';
import type { RowsGridProps } from './rows-grid-props.ts';

/** A page of rows in the grid, and what is staged for them. */
export function RowsGrid(props: RowsGridProps): JSX.Element {
  const { table, view, answer, rows, selection, onSelect } = props;
  const [widths, setWidths] = useState<Readonly<Record<string, number>>>({});
  const editing = useGridEditing(props);
  const columns = gridColumns(props, widths);
  return (
    <Grid
      label={table.name}
      columns={columns}
      rowCount={rows.length}
      firstRow={(view.page - 1) * view.pageSize + 1}
      totalRows={answer?.total ?? undefined}
      selection={selection}
      onSelect={onSelect}
      onResize={(name, width) => setWidths({ ...widths, [name]: width })}
      renderCell={(place) => <PlacedCell {...props} place={place} />}
      cellClass={(place) => cellClass(props, place)}
      rowClass={(row) => rowClass(rows[row])}
      gutter={(row) => gutterOf(props, row)}
      onOpen={editing.open}
      onKey={editing.pressKey}
    >
      {editing.opened !== undefined && (
        <PlacedEditor {...props} columns={columns} editing={editing} opened={editing.opened} />
      )}
    </Grid>
  );
}

function gridColumns(
  { table, view, change, answer }: RowsGridProps,
  widths: Readonly<Record<string, number>>,
): readonly GridColumn[] {
  return table.columns.map((column) => ({
    name: column.name,
    width: widths[column.name] ?? columnWidth(column, answer?.data ?? []),
    isNumber: isNumberColumn(column) && !column.is_foreign_key,
    ...sortOf(view.sort.find((term) => term.column === column.name)?.descending),
    head: (
      <HeadCell
        column={column}
        sort={view.sort}
        onSort={(isAdding) => change({ sort: toggleSort(view.sort, column.name, isAdding) })}
      />
    ),
  }));
}

function sortOf(isDescending: boolean | undefined): Pick<GridColumn, 'sort'> {
  if (isDescending === undefined) return {};
  return { sort: isDescending ? 'descending' : 'ascending' };
}

interface PlacedProps extends RowsGridProps {
  readonly place: Place;
}

function PlacedCell({ table, answer, rows, store, place }: PlacedProps): JSX.Element | null {
  const column = table.columns[place.column];
  const shown = rows[place.row];
  if (column === undefined || shown === undefined) return null;
  const value = shownValue(shown, column.name);
  const label = answer?.labels?.[column.name]?.[cellText(value ?? null)];
  const isChanged = shown.kind === 'known' && column.name in shown.values;
  const isRefused = isRefusedAt(store, shown, column.name);
  return (
    <>
      <CellView value={value} column={column} label={label} />
      {(isChanged || isRefused) && (
        <i className="corner" title={isRefused ? store.refusal?.message : undefined} />
      )}
    </>
  );
}

function cellClass({ table, rows, store }: RowsGridProps, place: Place): string {
  const shown = rows[place.row];
  const name = table.columns[place.column]?.name ?? '';
  if (shown === undefined) return '';
  if (isRefusedAt(store, shown, name)) return 'bad';
  return shown.kind === 'known' && name in shown.values ? 'mod' : '';
}

function isRefusedAt({ refusal }: StagedTable, shown: ShownRow, column: string): boolean {
  if (refusal === undefined || (refusal.column !== undefined && refusal.column !== column))
    return false;
  const isRow =
    shown.kind === 'new'
      ? refusal.number === shown.number
      : refusal.id !== undefined && refusal.id === shown.known?.id;
  return isRow && (refusal.column === column || column in shown.values);
}

function rowClass(shown: ShownRow | undefined): string {
  if (shown?.kind === 'new') return 'new';
  if (shown?.isRemoved === true) return 'del';
  return shown !== undefined && Object.keys(shown.values).length > 0 ? 'mod' : '';
}

function gutterOf({ rows, view, store }: RowsGridProps, row: number): JSX.Element {
  const shown = rows[row];
  if (shown?.kind === 'new') return <span>+</span>;
  const number = (view.page - 1) * view.pageSize + 1 + row - store.staged.created.size;
  return (
    <>
      <span>{shown?.isRemoved === true ? '−' : ''}</span>
      <span className="no">{number}</span>
    </>
  );
}
