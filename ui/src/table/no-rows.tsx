import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { stageNewRow } from '../editing/staged.ts';
import { stagedTable } from '../editing/staged-store.ts';
import { Icon } from '../parts/icon.tsx';
import { useReadOnlyReason } from '../api/capabilities.ts';
import type { ViewProps } from './toolbar.tsx';

/** Explains why no rows are shown, and offers what to do. */
export function NoRows({ table, view, change }: ViewProps): JSX.Element {
  // The page goes to the last one by itself if its number is known exactly.
  if (view.page > 1) {
    return (
      <div className="no-rows" role="status">
        <h2 className="b">There is no page {view.page.toLocaleString('en')}</h2>
        <button className="btn" onClick={() => change({ page: 1 })}>
          Go to the first page
        </button>
      </div>
    );
  }
  const isNarrowed = view.filters.length > 0 || view.search !== '';
  if (isNarrowed) {
    return (
      <div className="no-rows" role="status">
        <Icon name="filter" />
        <h2 className="b">No rows match</h2>
        <p className="t2">{table.row_count.toLocaleString('en')} rows in total.</p>
        <button className="btn" onClick={() => change({ filters: [], search: '' })}>
          Clear filters and search
        </button>
      </div>
    );
  }
  return <EmptyTable table={table} view={view} change={change} />;
}

function EmptyTable({ table, view, change }: ViewProps): JSX.Element {
  const reason = useReadOnlyReason(table);
  const hasDeleted = table.soft_delete_column !== null && table.row_count > 0 && !view.showDeleted;
  return (
    <div className="no-rows" role="status">
      <Icon name="table" />
      <h2 className="b">
        {table.name} has no rows{hasDeleted ? ' that are not deleted' : ' yet'}
      </h2>
      <p className="t2">{reason ?? 'Add the first row, or drop a file anywhere.'}</p>
      <div className="row">
        {reason === undefined && (
          <button
            className="btn primary"
            onClick={() => stagedTable(table.name).change((staged) => stageNewRow(staged))}
          >
            <Icon name="plus" /> Row
          </button>
        )}
        {reason === undefined && (
          <Link to="/import" className="btn">
            <Icon name="upload" /> Import
          </Link>
        )}
        {hasDeleted && (
          <button className="btn" onClick={() => change({ showDeleted: true })}>
            Show deleted rows
          </button>
        )}
      </div>
    </div>
  );
}
