import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { Icon } from '../parts/icon.tsx';
import { useReadOnlyReason } from '../api/capabilities.ts';
import { addRow } from './add-row.ts';
import type { ViewProps } from './toolbar.tsx';
import { tableTexts as texts } from '../texts/table.ts';
import { commonTexts } from '../texts/common.ts';

/** Explains why no rows are shown, and offers what to do. */
export function NoRows({ table, view, change }: ViewProps): JSX.Element {
  // The page goes to the last one by itself if its number is known exactly.
  if (view.page > 1) {
    return (
      <div className="no-rows" role="status">
        <h2 className="b">{texts.noSuchPage(view)}</h2>
        <button className="btn" onClick={() => change({ page: 1 })}>
          {texts.goToFirstPage}
        </button>
      </div>
    );
  }
  const isNarrowed = view.filters.length > 0 || view.search !== '';
  if (isNarrowed) {
    return (
      <div className="no-rows" role="status">
        <Icon name="filter" />
        <h2 className="b">{texts.noMatches}</h2>
        <p className="t2">
          {texts.inTotal({ rows: commonTexts.rowCount({ count: table.row_count }) })}
        </p>
        <button className="btn" onClick={() => change({ filters: [], search: '' })}>
          {texts.clearFilters}
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
        {hasDeleted
          ? texts.onlyDeletedRows({ table: table.name })
          : texts.noRows({ table: table.name })}
      </h2>
      <p className="t2">{reason ?? texts.howToAdd}</p>
      <div className="row">
        {reason === undefined && (
          <button className="btn primary" onClick={() => addRow(table)}>
            <Icon name="plus" /> {texts.addRow}
          </button>
        )}
        {reason === undefined && (
          <Link to="/import" search={{ table: table.name }} className="btn">
            <Icon name="upload" /> {commonTexts.import}
          </Link>
        )}
        {hasDeleted && (
          <button className="btn" onClick={() => change({ showDeleted: true })}>
            {texts.showDeleted}
          </button>
        )}
      </div>
    </div>
  );
}
