import type { JSX } from 'react';
import { Icon } from '../parts/icon.tsx';
import type { Column } from '../api/queries.ts';
import type { SortTerm } from './view-state.ts';

interface HeadCellProps {
  readonly column: Column;
  readonly sort: readonly SortTerm[];
  readonly onSort: (isAdding: boolean) => void;
}

/** A column's name, key and type; a click sorts by it. */
export function HeadCell({ column, sort, onSort }: HeadCellProps): JSX.Element {
  const place = sort.findIndex((term) => term.column === column.name);
  const term = sort[place];
  const target = column.references;
  return (
    <button
      className="head-cell"
      title={titleOf(column)}
      tabIndex={-1}
      onClick={(event) => onSort(event.shiftKey || event.ctrlKey || event.metaKey)}
    >
      <div className="n">
        {column.is_primary_key && <Icon name="key" size="xs" className="pk" />}
        {!column.is_primary_key && column.is_foreign_key && <Icon name="link" size="xs" />}
        <span className={term === undefined ? '' : 'sorted'}>{column.name}</span>
        {term !== undefined && (
          <Icon name={term.descending ? 'down' : 'up'} size="xs" className="sorted" />
        )}
        {term !== undefined && sort.length > 1 && <span className="ord">{place + 1}</span>}
      </div>
      <div className="ty">
        {column.type}
        {column.is_nullable && '?'}
        {target !== undefined && ` → ${target.table}`}
      </div>
    </button>
  );
}

function titleOf({ name, type, comment, default_value: fallback }: Column): string {
  return [
    `${name} ${type}`,
    ...(fallback === '' ? [] : [`default ${fallback}`]),
    ...(comment === '' ? [] : [comment]),
  ].join('\n');
}
