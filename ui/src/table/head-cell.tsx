import type { JSX } from 'react';
import { Icon } from '../parts/icon.tsx';
import { typeText } from '../cells/value-kind.ts';
import type { Column } from '../api/queries.ts';
import type { Point } from '../grid/grid-props.ts';
import type { SortTerm } from './view-state.ts';
import { tableTexts as texts } from '../texts/table.ts';

interface HeadCellProps {
  readonly column: Column;
  readonly sort: readonly SortTerm[];
  readonly onSort: (isAdding: boolean) => void;
  readonly onMenu: (at: Point) => void;
}

/** A column header: name, key and type. A click sorts; the arrow and a right click open the menu. */
export function HeadCell(props: HeadCellProps): JSX.Element {
  const { column, onMenu } = props;
  return (
    <div
      className="head-place"
      onContextMenu={(event) => {
        event.preventDefault();
        event.stopPropagation();
        onMenu({ x: event.clientX, y: event.clientY });
      }}
    >
      <SortButton {...props} />
      <button
        className="head-menu"
        tabIndex={-1}
        aria-label={texts.openColumnMenu(column)}
        onClick={(event) => {
          const { left, bottom } = event.currentTarget.getBoundingClientRect();
          onMenu({ x: left, y: bottom });
        }}
      >
        <Icon name="chevron-down" size="xs" />
      </button>
    </div>
  );
}

function SortButton({ column, sort, onSort }: HeadCellProps): JSX.Element {
  const sortIndex = sort.findIndex((term) => term.column === column.name);
  const term = sort[sortIndex];
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
        {term !== undefined && sort.length > 1 && <span className="ord">{sortIndex + 1}</span>}
      </div>
      <div className="ty">
        {typeText(column)}
        {column.is_nullable && '?'}
        {target !== undefined && ` → ${target.table}`}
      </div>
    </button>
  );
}

function titleOf(column: Column): string {
  const { name, comment, default_value: defaultValue } = column;
  return [
    `${name} ${typeText(column)}`,
    ...(defaultValue === '' ? [] : [texts.columnDefault({ value: defaultValue })]),
    ...(comment === '' ? [] : [comment]),
  ].join('\n');
}
