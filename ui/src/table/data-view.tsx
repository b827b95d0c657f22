import { useEffect, useState } from 'react';
import type { JSX } from 'react';
import { ConflictDialog } from '../editing/conflict-dialog.tsx';
import { ReviewBar } from '../editing/review-bar.tsx';
import { removeSavedNewRows, useSavedNewRows } from '../editing/saved-new-rows.ts';
import { shownRows, shownValue } from '../editing/shown-rows.ts';
import { useStaged } from '../editing/staged-store.ts';
import { selectedText } from '../grid/selected-text.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { useIsPhone } from '../parts/use-is-phone.ts';
import { RecordPanel } from '../record/record-panel.tsx';
import { useAddedRow } from './add-row.ts';
import { useCheckedRows } from './checked-rows.ts';
import { arrange, arrangeForPhone } from './column-layout.ts';
import type { ColumnLayoutStore } from './column-layout.ts';
import { phoneWidths, useFittedWidths } from './column-width.ts';
import { FilterBar } from './filter/filter-bar.tsx';
import { NoRows } from './no-rows.tsx';
import { allRows, listOptions } from './view-state.ts';
import { useReadOnlyReason } from '../api/capabilities.ts';
import { recordSteps } from './record-steps.ts';
import { RowsGrid } from './rows-grid.tsx';
import type { RowsGridProps } from './rows-grid-props.ts';
import { SelectedRowsBar } from './selected-rows-bar.tsx';
import { StatusBar } from './status-bar.tsx';
import { useRows } from './use-rows.ts';
import { useSelection } from './use-selection.ts';
import type { TableRows } from './use-rows.ts';
import type { ViewProps } from './toolbar.tsx';
import { tableTexts as texts } from '../texts/table.ts';

interface DataViewProps extends ViewProps {
  readonly layoutStore: ColumnLayoutStore;
}

/** What the grid shows, and the bars and the record beside it. */
function useGridProps({ table, view, change, layoutStore }: DataViewProps): RowsGridProps {
  const read = useRows(table, view);
  const readOnlyReason = useReadOnlyReason(table);
  const store = useStaged(table.name);
  const isPhone = useIsPhone();
  const { columns, pinned } = (isPhone ? arrangeForPhone : arrange)(table, layoutStore.layout);
  const saved = useSavedNewRows(table.name);
  const rows = shownRows(table, read, { staged: store.staged, saved });
  const { selection, resumeAt, select } = useSelection({ table, columns, rows });
  useAddedRow({ table, columns, rows }, select);
  const viewKey = JSON.stringify(listOptions(view));
  useEffect(() => () => removeSavedNewRows(table.name), [table.name, viewKey]);
  const data = read.pageWithTotal?.data;
  const widths = useFittedWidths(table, data);
  const fittedWidths = isPhone
    ? phoneWidths(widths, { table, columns, pinned }, data ?? [])
    : widths;
  const loadedView = useValueWhenLoaded(viewKey, read.isWaiting);
  const checked = useCheckedRows(rows, store, viewKey);
  return {
    ...{ table, view, change, read, layoutStore, pinned, columns, rows, store, selection, checked },
    ...{ readOnlyReason, fittedWidths, loadedView, resumeAt },
    onSelect: select,
  };
}

/** The rows of a table with the view's filters and sort, and their staged changes. */
export function DataView(props: DataViewProps): JSX.Element {
  const { table, view, change } = props;
  const gridProps = useGridProps(props);
  const { read, rows, columns, selection } = gridProps;
  const { pageWithTotal, error } = read;
  useLastPageInstead(props, read);
  return (
    <>
      <FilterBar table={table} view={view} change={change} />
      {error !== null && <ErrorNotice error={error} onRetry={read.refetch} />}
      <div className="split">
        <div className="left">
          <RowsGrid {...gridProps} />
          {pageWithTotal !== undefined && rows.count === 0 && (
            <NoRows table={table} view={view} change={change} />
          )}
          {pageWithTotal === undefined && error === null && <LoadingRows />}
        </div>
        <RecordPanel
          pageTable={table.name}
          open={view.open}
          onOpen={(open, options) => change({ open }, options)}
          steps={recordSteps(gridProps)}
        />
      </div>
      <SelectedRowsBar {...gridProps} />
      <ReviewBar table={table} />
      <ConflictDialog table={table} />
      <StatusBar
        view={view}
        change={change}
        total={pageWithTotal?.total}
        isExact={pageWithTotal?.total_exact !== false}
        durationMs={pageWithTotal?.durationMs}
        isPagedByPosition={pageWithTotal?.paging === 'position'}
        labelErrors={pageWithTotal?.label_errors}
        selected={selectedText(selection, columns, (row, column) => {
          const shownRow = rows.at(row);
          return shownRow === undefined ? undefined : (shownValue(shownRow, column) ?? null);
        })}
      />
    </>
  );
}

/**
 * Goes to the last page when the one of the URL is past the end: a number typed before the total was
 * known, an old link, or a page whose rows were deleted.
 */
function useLastPageInstead({ view, change }: ViewProps, read: TableRows): void {
  const { pageWithTotal, isWaiting } = read;
  const total = pageWithTotal?.total_exact === false ? null : pageWithTotal?.total;
  const lastPage = Math.ceil((total ?? 0) / view.pageSize);
  const isPastEnd = !isWaiting && pageWithTotal?.data.length === 0 && view.pageSize !== allRows;
  const next = isPastEnd && lastPage > 0 && lastPage < view.page ? lastPage : undefined;
  useEffect(() => {
    if (next !== undefined) change({ page: next }, { replaces: true });
    // `change` is another function in each render.
  }, [next]);
}

/** Returns the value that it had before as long as the page is waiting. */
function useValueWhenLoaded(value: string, isWaiting: boolean): string {
  const [settled, setSettled] = useState(value);
  if (!isWaiting && settled !== value) setSettled(value);
  return settled;
}

/** Placeholders in the shape of rows. */
function LoadingRows(): JSX.Element {
  return (
    <div className="loading-rows skeletons" role="status" aria-label={texts.loadingRows}>
      {[62, 48, 71, 55, 40, 66, 52].map((width) => (
        <div key={width} className="skel" style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}
