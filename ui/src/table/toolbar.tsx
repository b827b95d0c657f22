import { useEffect, useRef, useState } from 'react';
import type { JSX } from 'react';
import { localNameOf } from '../api/table-name.ts';
import { queryClient } from '../api/queries.ts';
import type { Table } from '../api/queries.ts';
import { removeSavedNewRows } from '../editing/saved-new-rows.ts';
import { newestNumber } from '../editing/staged.ts';
import { requestGridFocus } from '../grid/request-grid-focus.ts';
import { openExport } from '../exporting/open-export.ts';
import { Icon } from '../parts/icon.tsx';
import { SidebarButton } from '../shell/sidebar-button.tsx';
import { useIsPhone } from '../parts/use-is-phone.ts';
import { useShortcut } from '../parts/use-shortcut.ts';
import { newRecordAddress, formatRecordAddress } from '../record/record-address.ts';
import type { RecordAddress } from '../record/record-address.ts';
import { addRow } from './add-row.ts';
import { ColumnsButton } from './columns-button.tsx';
import type { ColumnLayoutStore } from './column-layout.ts';
import { useReadOnlyReason } from '../api/capabilities.ts';
import type { ChangeView } from './use-view.ts';
import type { ViewState } from './view-state.ts';
import { tableTexts as texts } from '../texts/table.ts';
import { commonTexts } from '../texts/common.ts';

export interface ViewProps {
  readonly table: Table;
  readonly view: ViewState;
  readonly change: ChangeView;
}

interface ToolbarProps extends ViewProps {
  readonly layoutStore: ColumnLayoutStore;
}

export function Toolbar({ table, view, change, layoutStore }: ToolbarProps): JSX.Element {
  return (
    <div className="toolbar">
      <SidebarButton />
      <h1 className="title">
        {table.schema !== '' && <span className="t3 cut">{table.schema} / </span>}
        <span className="cut">{localNameOf(table)}</span>
      </h1>
      <div className="seg" role="group" aria-label={texts.view}>
        <button
          aria-pressed={!view.isStructure}
          onClick={({ detail }) => {
            if (detail > 0 && view.isStructure) requestGridFocus();
            change({ isStructure: false });
          }}
        >
          {commonTexts.data}
        </button>
        <button aria-pressed={view.isStructure} onClick={() => change({ isStructure: true })}>
          {commonTexts.structure}
        </button>
      </div>
      <span className="grow" />
      {!view.isStructure && <SearchField search={view.search} change={change} />}
      {!view.isStructure && <ColumnsButton table={table} layoutStore={layoutStore} />}
      <button
        className="ib wide"
        aria-label={texts.reloadRows}
        title={texts.reloadRows}
        onClick={() => {
          removeSavedNewRows(table.name);
          void queryClient.invalidateQueries({ queryKey: ['rows', table.name] });
        }}
      >
        <Icon name="refresh" />
      </button>
      <button
        className="ib wide"
        aria-label={texts.exportView}
        title={texts.exportView}
        onClick={() => openExport('view')}
      >
        <Icon name="download" />
      </button>
      {!view.isStructure && <AddRow table={table} change={change} />}
    </div>
  );
}

function AddRow({ table, change }: Pick<ViewProps, 'table' | 'change'>): JSX.Element {
  const reason = useReadOnlyReason(table);
  const isPhone = useIsPhone();
  return (
    <button
      className="btn add-row"
      aria-disabled={reason !== undefined}
      title={reason ?? texts.addRowHint}
      onClick={() => {
        if (reason !== undefined) return;
        addRow(table);
        if (isPhone) change({ open: [formatRecordAddress(newestRecordAddress(table))] });
      }}
    >
      <Icon name="plus" /> {texts.addRow}
    </button>
  );
}

/** Returns the address of the newest new row. On a phone it is edited in the record panel. */
function newestRecordAddress({ name }: Table): RecordAddress {
  return newRecordAddress(name, newestNumber());
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
        aria-label={texts.searchColumns}
        placeholder={texts.searchColumns}
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
