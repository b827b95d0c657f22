import { useState } from 'react';
import type { JSX } from 'react';
import type { Column, Table } from '../../api/queries.ts';
import { Icon } from '../../parts/icon.tsx';
import { Menu } from '../../parts/menu.tsx';
import { Popover } from '../../parts/popover.tsx';
import { useShortcut } from '../../parts/use-shortcut.ts';
import { FilterChips } from './filter-chips.tsx';
import { FilterForm } from './filter-form.tsx';
import type { ViewProps } from '../toolbar.tsx';
import type { FilterTerm, SortTerm } from '../view-state.ts';
import { tableTexts as texts } from '../../texts/table.ts';

/** The filters and sort orders of the view, one chip each. */
export function FilterBar({ table, view, change }: ViewProps): JSX.Element {
  const { filters, sort } = view;
  const isPlain = filters.length + sort.length === 0 && view.search === '' && !view.showDeleted;
  return (
    <div className="filters">
      {filters.map((filter, i) => (
        <FilterChips
          key={`${i} ${filter.length} ${filter[0]?.column}`}
          table={table}
          filter={filter}
          onChange={(next) =>
            change({ filters: filters.toSpliced(i, 1, ...(next.length === 0 ? [] : [next])) })
          }
        />
      ))}
      <AddFilter table={table} onAdd={(term) => change({ filters: [...filters, [term]] })} />
      <span className="sep" />
      {sort.map((term, i) => (
        <SortChip
          key={term.column}
          term={term}
          onReverse={() =>
            change({ sort: sort.with(i, { ...term, descending: !term.descending }) })
          }
          onRemove={() => change({ sort: sort.toSpliced(i, 1) })}
        />
      ))}
      <AddSort columns={table.columns} sort={sort} onAdd={(next) => change({ sort: next })} />
      <span className="grow" />
      {table.soft_delete_column !== null && (
        <label className="row t2 deleted-rows">
          <input
            type="checkbox"
            checked={view.showDeleted}
            onChange={(event) => change({ showDeleted: event.target.checked })}
          />
          {texts.showDeleted}
        </label>
      )}
      {!isPlain && (
        <button
          className="btn quiet"
          onClick={() => change({ filters: [], sort: [], search: '', showDeleted: false })}
        >
          {texts.clearAll}
        </button>
      )}
    </div>
  );
}

interface AddSortProps {
  readonly columns: readonly Column[];
  readonly sort: readonly SortTerm[];
  readonly onAdd: (sort: readonly SortTerm[]) => void;
}

function AddSort({ columns, sort, onAdd }: AddSortProps): JSX.Element {
  const unsortedColumns = columns.filter(({ name }) => !sort.some(({ column }) => column === name));
  return (
    <Menu
      trigger={
        <button className="fchip add">
          <span>
            <Icon name="plus" size="xs" /> {texts.addSort}
          </span>
        </button>
      }
      items={unsortedColumns.map(({ name }) => ({
        label: name,
        onChoose: () => onAdd([...sort, { column: name, descending: false }]),
      }))}
    />
  );
}

interface AddFilterProps {
  readonly table: Table;
  readonly onAdd: (term: FilterTerm) => void;
}

function AddFilter({ table, onAdd }: AddFilterProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  useShortcut('shift+f', () => setOpen(true));
  return (
    <Popover
      label={texts.newFilter}
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={
        <button className="fchip add">
          <span>
            <Icon name="plus" size="xs" /> {texts.addFilter}
          </span>
        </button>
      }
    >
      <FilterForm
        table={table}
        onDone={(term) => {
          setOpen(false);
          onAdd(term);
        }}
      />
    </Popover>
  );
}

interface SortChipProps {
  readonly term: SortTerm;
  readonly onReverse: () => void;
  readonly onRemove: () => void;
}

function SortChip({ term, onReverse, onRemove }: SortChipProps): JSX.Element {
  return (
    <span className="fchip">
      <button className="open" onClick={onReverse} title={texts.reverseSort}>
        <span>
          <Icon name="sort" size="xs" /> {term.column}
        </span>
        <span className="op">{term.descending ? texts.descending : texts.ascending}</span>
      </button>
      <button className="x" aria-label={texts.removeSort(term)} onClick={onRemove}>
        <Icon name="close" size="xs" />
      </button>
    </span>
  );
}
