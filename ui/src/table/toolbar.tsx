import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { JSX } from 'react';
import { configQuery, queryClient } from '../api/queries.ts';
import type { Table } from '../api/queries.ts';
import { stageNewRow } from '../editing/staged.ts';
import { useStaged } from '../editing/staged-store.ts';
import { openExport } from '../exporting/open-export.ts';
import { Icon } from '../parts/icon.tsx';
import { useShortcut } from '../parts/use-shortcut.ts';
import { readOnlyReason } from './read-only-reason.ts';
import type { ChangeView } from './use-view.ts';
import type { ViewState } from './view-state.ts';

export interface ViewProps {
  readonly table: Table;
  readonly view: ViewState;
  readonly change: ChangeView;
}

export function Toolbar({ table, view, change }: ViewProps): JSX.Element {
  const local = table.name.startsWith(`${table.schema}.`)
    ? table.name.slice(table.schema.length + 1)
    : table.name;
  return (
    <div className="toolbar">
      <h1 className="title cut">
        {table.schema !== '' && <span className="t3">{table.schema} / </span>}
        {local}
      </h1>
      <div className="seg" role="group" aria-label="Shown">
        <button aria-pressed={!view.isStructure} onClick={() => change({ isStructure: false })}>
          Data
        </button>
        <button aria-pressed={view.isStructure} onClick={() => change({ isStructure: true })}>
          Structure
        </button>
      </div>
      <span className="grow" />
      {!view.isStructure && <SearchField search={view.search} change={change} />}
      <button
        className="ib"
        aria-label="Reload rows"
        title="Reload rows"
        onClick={() => void queryClient.invalidateQueries({ queryKey: ['rows', table.name] })}
      >
        <Icon name="refresh" />
      </button>
      <button
        className="ib"
        aria-label="Export this view"
        title="Export this view"
        onClick={() => openExport('view')}
      >
        <Icon name="download" />
      </button>
      <AddRow table={table} />
    </div>
  );
}

function AddRow({ table }: { readonly table: Table }): JSX.Element {
  const { data: config } = useQuery(configQuery);
  const store = useStaged(table.name);
  const reason = readOnlyReason(table, config);
  return (
    <button
      className="btn"
      aria-disabled={reason !== undefined}
      title={reason ?? 'A new row, saved with the other changes'}
      onClick={() => {
        if (reason === undefined) store.change(stageNewRow(store.staged));
      }}
    >
      <Icon name="plus" /> Row
    </button>
  );
}

const typingPauseMs = 250;

function SearchField({
  search,
  change,
}: {
  readonly search: string;
  readonly change: ChangeView;
}): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(search);
  useShortcut('f', () => input.current?.focus());
  useEffect(() => setTyped(search), [search]);
  const latest = useRef(change);
  useEffect(() => {
    latest.current = change;
  });
  useEffect(() => {
    if (typed === search) return undefined;
    const timer = setTimeout(() => latest.current({ search: typed }), typingPauseMs);
    return () => clearTimeout(timer);
  }, [typed, search]);
  return (
    <label className="field search">
      <Icon name="search" size="s" />
      <input
        ref={input}
        aria-label="Search text columns"
        placeholder="Search text columns"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setTyped('');
        }}
      />
      <kbd>F</kbd>
    </label>
  );
}
