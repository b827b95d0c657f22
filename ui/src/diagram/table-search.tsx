import { useReactFlow } from '@xyflow/react';
import { useRef, useState } from 'react';
import type { JSX, KeyboardEvent } from 'react';
import { Icon } from '../parts/icon.tsx';
import { useShortcut } from '../parts/use-shortcut.ts';
import { rankMatches } from '../shell/rank-matches.ts';
import type { PlacedTable } from './layout.ts';
import { diagramTexts as texts } from '../texts/diagram.ts';

interface TableSearchProps {
  readonly tables: readonly PlacedTable[];
  readonly onFind: (found: FoundName) => void;
}

const maxShown = 12;

/** A table, or a column of a table. */
export interface FoundName {
  readonly table: string;
  readonly column?: string;
}

interface FoundEntry extends FoundName {
  /** The name of a table, or of a table and its column. */
  readonly label: string;
}

/** Finds a table by a part of its name or of the name of a shown column. */
export function TableSearch({ tables, onFind }: TableSearchProps): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const [searchText, setSearchText] = useState('');
  const [index, setIndex] = useState(0);
  const { fitView } = useReactFlow();
  useShortcut('f', () => input.current?.focus());
  const found = searchText === '' ? [] : findEntries(tables, searchText);
  const current = Math.min(index, found.length - 1);
  const go = (entry: FoundName | undefined): void => {
    if (entry === undefined) return;
    setSearchText('');
    onFind(entry);
    void fitView({ nodes: [{ id: entry.table }], maxZoom: 1, minZoom: 0.6 });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      setIndex((current + step + found.length) % found.length);
    }
    if (event.key === 'Enter') go(found[current]);
    if (event.key === 'Escape') setSearchText('');
  };
  return (
    <div className="find-table">
      <label className="field">
        <Icon name="search" size="s" />
        <input
          ref={input}
          role="combobox"
          aria-label={texts.findTable}
          aria-expanded={found.length > 0}
          aria-controls="found-tables"
          aria-activedescendant={found.length > 0 ? `found-${current}` : undefined}
          placeholder={texts.findTablePlaceholder}
          value={searchText}
          onChange={(event) => {
            setSearchText(event.target.value);
            setIndex(0);
          }}
          onKeyDown={onKeyDown}
        />
        <kbd>F</kbd>
      </label>
      {searchText !== '' && (
        <FoundTables entries={found} current={current} onHighlight={setIndex} onSelect={go} />
      )}
    </div>
  );
}

/** Tables first, then columns. Names that only have the letters in order come last. */
function orderOf({ table, column }: FoundEntry, letters: string): number {
  const name = (column ?? table).toLowerCase();
  if (!name.includes(letters)) return column === undefined ? 3 : 4;
  if (column === undefined) return 0;
  return name === letters ? 1 : 2;
}

function findEntries(tables: readonly PlacedTable[], searchText: string): readonly FoundEntry[] {
  const letters = searchText.trim().toLowerCase();
  const names = tables.map(({ name }) => ({ label: name, table: name }));
  const columns = tables.flatMap(({ name: table, columns: shown }) =>
    shown.map(({ name }) => ({ label: name, table, column: name })),
  );
  const foundColumns = rankMatches(columns, searchText).map((entry) => ({
    ...entry,
    label: `${entry.table}.${entry.label}`,
  }));
  const all = [...rankMatches(names, searchText), ...foundColumns];
  return all.toSorted((a, b) => orderOf(a, letters) - orderOf(b, letters)).slice(0, maxShown);
}

/** Names are cut before their last letters, since long ones often differ there. */
const uncutEnd = 18;

interface FoundProps {
  readonly entries: readonly FoundEntry[];
  readonly current: number;
  readonly onHighlight: (index: number) => void;
  readonly onSelect: (entry: FoundName) => void;
}

function FoundTables({ entries, current, onHighlight, onSelect }: FoundProps): JSX.Element {
  return (
    <div className="pop menu" id="found-tables" role="listbox" aria-label={texts.results}>
      {entries.map((entry, i) => (
        <div
          key={i}
          id={`found-${i}`}
          className="mi"
          role="option"
          aria-selected={i === current}
          onPointerMove={() => onHighlight(i)}
          onClick={() => onSelect(entry)}
          aria-label={entry.label}
          title={entry.label}
        >
          <span className="cut">{entry.label.slice(0, -uncutEnd)}</span>
          <span>{entry.label.slice(-uncutEnd)}</span>
        </div>
      ))}
      {entries.length === 0 && <p className="pad t3">{texts.noMatches}</p>}
    </div>
  );
}
