import { Dialog } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { modifierKey } from '../parts/modifier-key.ts';
import type { JSX, KeyboardEvent } from 'react';
import { refreshSchema, schemaQuery } from '../api/queries.ts';
import type { Schema } from '../api/queries.ts';
import { switchTheme } from '../app/theme.ts';
import { openExport } from '../exporting/open-export.ts';
import { focusNextGrid } from '../grid/focus-next-grid.ts';
import { Icon } from '../parts/icon.tsx';
import type { IconName } from '../parts/icon.tsx';
import { useShortcut } from '../parts/use-shortcut.ts';
import { useSavedQueries } from '../sql/past-queries.ts';
import { showInSqlTab } from '../sql/sql-tabs-store.ts';
import { countText } from './count-text.ts';
import { rankMatches } from './rank-matches.ts';
import { showShortcuts } from './shortcut-sheet.tsx';

interface Entry {
  readonly label: string;
  readonly icon: IconName;
  readonly note: string;
  readonly run: () => void;
}

/** The command palette, which finds tables, columns, saved queries and actions by a part of their names. */
export function Palette(): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const hasRun = useRef(false);
  const open = (isShown: boolean): void => {
    hasRun.current = false;
    setOpen(isShown);
  };
  useShortcut('mod+k', () => open(!isOpen));
  return (
    <Dialog.Root open={isOpen} onOpenChange={open}>
      <Dialog.Trigger
        render={
          <button className="jump">
            <Icon name="search" size="s" />
            <span className="grow">Search or run</span>
            <span className="keys">
              <kbd>{modifierKey}</kbd>
              <kbd>K</kbd>
            </span>
          </button>
        }
      />
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Popup
          className="dialog palette"
          aria-label="Search or run"
          // What an entry opens takes the focus.
          finalFocus={() => !hasRun.current}
        >
          <PaletteList
            onDone={(runs) => {
              hasRun.current = runs;
              setOpen(false);
            }}
          />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

const maxShown = 50;

interface PaletteListProps {
  readonly onDone: (hasRun: boolean) => void;
}

function PaletteList({ onDone }: PaletteListProps): JSX.Element {
  const [sought, setSought] = useState('');
  const [place, setPlace] = useState(0);
  const entries = rankMatches(useEntries(sought !== ''), sought).slice(0, maxShown);
  const current = Math.min(place, entries.length - 1);
  const choose = (entry: Entry | undefined): void => {
    onDone(entry !== undefined);
    entry?.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setPlace((current + step + entries.length) % Math.max(1, entries.length));
    }
    if (event.key === 'Enter') choose(entries[current]);
  };
  return (
    <>
      <div className="palette-field">
        <Icon name="search" />
        <input
          className="grow bare"
          role="combobox"
          aria-expanded={entries.length > 0}
          aria-controls="palette-list"
          aria-activedescendant={entries.length > 0 ? `palette-${current}` : undefined}
          aria-label="Search or run"
          placeholder="Table, column, saved query or action"
          value={sought}
          onChange={(event) => {
            setSought(event.target.value);
            setPlace(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div className="menu palette-list" id="palette-list" role="listbox" aria-label="Found">
        {entries.map((entry, i) => (
          <PaletteOption
            key={`${entry.icon} ${entry.label}`}
            id={`palette-${i}`}
            entry={entry}
            isCurrent={i === current}
            onPoint={() => setPlace(i)}
            onChoose={() => choose(entry)}
          />
        ))}
      </div>
      {entries.length === 0 && (
        <p className="pad t3" role="status">
          Nothing is called that
        </p>
      )}
    </>
  );
}

interface PaletteOptionProps {
  readonly id: string;
  readonly entry: Entry;
  readonly isCurrent: boolean;
  readonly onPoint: () => void;
  readonly onChoose: () => void;
}

function PaletteOption(props: PaletteOptionProps): JSX.Element {
  const { id, entry, isCurrent, onPoint, onChoose } = props;
  return (
    <div
      id={id}
      className="mi"
      role="option"
      aria-selected={isCurrent}
      onPointerMove={onPoint}
      onClick={onChoose}
    >
      <Icon name={entry.icon} />
      <span className="grow cut">{entry.label}</span>
      <span className="end">{entry.note}</span>
    </div>
  );
}

/** Columns are many, so they are only listed once a text is typed. */
function useEntries(withColumns: boolean): readonly Entry[] {
  const { data: schema } = useQuery(schemaQuery);
  const navigate = useNavigate();
  const saved = useSavedQueries();
  const open = (table: string) => (): void => {
    focusNextGrid();
    void navigate({ to: '/tables/$table', params: { table } });
  };
  const actions: Entry[] = [
    { label: 'SQL', icon: 'sql', note: '', run: () => void navigate({ to: '/sql' }) },
    { label: 'Diagram', icon: 'diagram', note: '', run: () => void navigate({ to: '/diagram' }) },
    { label: 'Import', icon: 'upload', note: '', run: () => void navigate({ to: '/import' }) },
    { label: 'Export', icon: 'download', note: '', run: () => openExport('data') },
    { label: 'Reload structure', icon: 'refresh', note: '', run: () => void refreshSchema() },
    { label: 'Keyboard shortcuts', icon: 'text', note: '?', run: showShortcuts },
    { label: 'Theme', icon: 'sun', note: '', run: switchTheme },
    { label: 'All tables', icon: 'list', note: '', run: () => void navigate({ to: '/' }) },
  ];
  const queries = saved.map(({ name, statement }): Entry => ({
    label: name,
    icon: 'star',
    note: 'saved query',
    run: () => {
      showInSqlTab(statement);
      void navigate({ to: '/sql' });
    },
  }));
  const columns = withColumns ? columnEntries(schema, open) : [];
  return [...tableEntries(schema, open), ...actions, ...queries, ...columns];
}

function tableEntries(
  schema: Schema | undefined,
  open: (table: string) => () => void,
): readonly Entry[] {
  return [...(schema?.tables ?? []), ...(schema?.views ?? [])].map((table) => ({
    label: table.name,
    icon: table.kind === 'table' ? 'table' : 'view',
    note: countText(table),
    run: open(table.name),
  }));
}

function columnEntries(
  schema: Schema | undefined,
  open: (table: string) => () => void,
): readonly Entry[] {
  return [...(schema?.tables ?? []), ...(schema?.views ?? [])].flatMap((table) =>
    table.columns.map((column) => ({
      label: `${table.name}.${column.name}`,
      icon: 'columns' as const,
      note: column.type,
      run: open(table.name),
    })),
  );
}
