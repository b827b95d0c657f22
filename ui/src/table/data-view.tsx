import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { JSX } from 'react';
import { configQuery, rowsQuery } from '../api/queries.ts';
import { ReviewBar } from '../editing/review-bar.tsx';
import { shownRows, shownValue } from '../editing/shown-rows.ts';
import { useStaged } from '../editing/staged-store.ts';
import { selectedText } from '../grid/selected-text.ts';
import type { Selection } from '../grid/selection.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { RecordPanel } from '../record/record-panel.tsx';
import { FilterBar } from './filter-bar.tsx';
import { readOnlyReason } from './read-only-reason.ts';
import { RowsGrid } from './rows-grid.tsx';
import { StatusBar } from './status-bar.tsx';
import { listOptions } from './view-state.ts';
import type { ViewProps } from './toolbar.tsx';

/** The rows of a table, as the view says, with what is staged for them. */
export function DataView({ table, view, change }: ViewProps): JSX.Element {
  const { data, error, refetch } = useQuery(rowsQuery(table.name, listOptions(view)));
  const { data: config } = useQuery(configQuery);
  const store = useStaged(table.name);
  const [selection, setSelection] = useState<Selection>();
  const rows = shownRows(table, data, store.staged);
  return (
    <>
      <FilterBar table={table} view={view} change={change} />
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      <div className="split">
        <div className="left">
          <RowsGrid
            table={table}
            view={view}
            change={change}
            answer={data}
            rows={rows}
            store={store}
            readOnlyReason={readOnlyReason(table, config)}
            selection={selection}
            onSelect={setSelection}
          />
        </div>
        <RecordPanel open={view.open} onOpen={(open) => change({ open })} />
      </div>
      <ReviewBar table={table} store={store} />
      <StatusBar
        view={view}
        change={change}
        total={data?.total}
        isExact={data?.total_exact !== false}
        durationMs={data?.durationMs}
        selected={selectedText(selection, table.columns, (row, column) => {
          const shown = rows[row];
          return shown === undefined ? null : (shownValue(shown, column) ?? null);
        })}
      />
    </>
  );
}
