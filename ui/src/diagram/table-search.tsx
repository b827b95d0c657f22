import { useReactFlow } from '@xyflow/react';
import { useRef, useState } from 'react';
import type { JSX, KeyboardEvent } from 'react';
import { Icon } from '../parts/icon.tsx';
import { useShortcut } from '../parts/use-shortcut.ts';
import { rankMatches } from '../shell/rank-matches.ts';
import type { PlacedTable } from './layout-query.ts';
import { diagramTexts as texts } from '../texts/diagram.ts';

interface TableSearchProps {
  readonly tables: readonly PlacedTable[];
  readonly onFind: (name: string) => void;
}

const maxShown = 12;

interface FoundEntry {
  /** The name of a table, or of a table and its column. */
  readonly label: string;
  readonly table: string;
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
  const go = (name: string | undefined): void => {
    if (name === undefined) return;
    setSearchText('');
    onFind(name);
    void fitView({ nodes: [{ id: name }], maxZoom: 1, minZoom: 0.6 });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      setIndex((current + step + found.length) % found.length);
    }
    if (event.key === 'Enter') go(found[current]?.table);
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

/** Tables first, then columns. */
function findEntries(tables: readonly PlacedTable[], searchText: string): readonly FoundEntry[] {
  const names = tables.map(({ name }) => ({ label: name, table: name }));
  const columns = tables.flatMap(({ name: table, columns: shown }) =>
    shown.map(({ name }) => ({ label: name, table })),
  );
  const foundColumns = rankMatches(columns, searchText).map(({ label, table }) => ({
    label: `${table}.${label}`,
    table,
  }));
  return [...rankMatches(names, searchText), ...foundColumns].slice(0, maxShown);
}

interface FoundProps {
  readonly entries: readonly FoundEntry[];
  readonly current: number;
  readonly onHighlight: (index: number) => void;
  readonly onSelect: (name: string) => void;
}

function FoundTables({ entries, current, onHighlight, onSelect }: FoundProps): JSX.Element {
  return (
    <div className="pop menu" id="found-tables" role="listbox" aria-label={texts.results}>
      {entries.map(({ label, table }, i) => (
        <div
          key={i}
          id={`found-${i}`}
          className="mi"
          role="option"
          aria-selected={i === current}
          onPointerMove={() => onHighlight(i)}
          onClick={() => onSelect(table)}
        >
          <span className="cut">{label}</span>
        </div>
      ))}
      {entries.length === 0 && <p className="pad t3">{texts.noMatches}</p>}
    </div>
  );
}
