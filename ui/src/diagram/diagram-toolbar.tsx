import type { JSX } from 'react';
import { client } from '../api/client.ts';
import { currentTheme } from '../app/theme.ts';
import { downloadSchema } from '../exporting/start-download.ts';
import { Icon } from '../parts/icon.tsx';
import { Menu } from '../parts/menu.tsx';
import { useShortcut } from '../parts/use-shortcut.ts';
import { SidebarButton } from '../shell/sidebar-button.tsx';
import type { ChangeView, DiagramView } from './diagram-address.ts';
import { queryOf } from './layout-query.ts';
import type { Layout } from './layout.ts';
import { encodeList } from '../../../src/contract/comma-list.ts';
import type { SavedPositions } from './saved-positions.ts';
import {
  resetTablePositions,
  undoMove,
  useCanUndoMove,
  useTablePositions,
} from './table-positions-store.ts';
import { TableSearch } from './table-search.tsx';
import type { FoundName } from './table-search.tsx';
import { diagramTexts as texts } from '../texts/diagram.ts';
import { commonTexts } from '../texts/common.ts';
import { formatTitles } from '../texts/formats.ts';

interface DiagramToolbarProps {
  readonly layout: Layout | undefined;
  readonly view: DiagramView;
  readonly onChange: ChangeView;
  /** The shown tables. Undefined for all tables. */
  readonly tables: readonly string[] | undefined;
  /** The names of the tables that the user has hidden. */
  readonly hidden: ReadonlySet<string>;
  readonly positionsKey: string;
  readonly onFind: (found: FoundName) => void;
}

const shownColumns = [
  ['all', texts.allColumns],
  ['keys', texts.keys],
  ['none', texts.names],
] as const;

/** The toolbar: options of the diagram, and its export. */
export function DiagramToolbar(props: DiagramToolbarProps): JSX.Element {
  const { layout, view, onChange, tables, hidden, positionsKey, onFind } = props;
  const shownLayout = layout === undefined ? undefined : withoutTables(layout, hidden);
  const hiddenCount = (layout?.tables.length ?? 0) - (shownLayout?.tables.length ?? 0);
  return (
    <div className="toolbar diagram-bar">
      <SidebarButton />
      <h1 className="title">{commonTexts.diagram}</h1>
      <span className="t3 counts">{shownLayout !== undefined && countsOf(shownLayout)}</span>
      {hiddenCount > 0 && (
        <button
          className="btn quiet"
          title={texts.showHiddenHint}
          onClick={() => onChange({ hidden: [] })}
        >
          <Icon name="eye" size="s" /> {texts.showHidden({ count: hiddenCount })}
        </button>
      )}
      <span className="grow" />
      <TableSearch
        tables={shownLayout?.tables ?? []}
        onFind={(found) => {
          onFind(found);
          onChange({ around: found.table, hidesOthers: false });
        }}
      />
      <div className="seg" role="group" aria-label={commonTexts.columns}>
        {shownColumns.map(([columns, title]) => (
          <button
            key={columns}
            aria-pressed={columns === view.columns}
            onClick={() => onChange({ columns })}
          >
            {title}
          </button>
        ))}
      </div>
      <UndoButton positionsKey={positionsKey} />
      <ArrangeButton positionsKey={positionsKey} />
      <ExportMenu
        layout={layout}
        view={view}
        tables={tables}
        hidden={hidden}
        positionsKey={positionsKey}
      />
    </div>
  );
}

const exportFormats = ['svg', 'png', 'pdf', 'mermaid', 'dbml'] as const;
type DiagramExportFormat = (typeof exportFormats)[number];

type ExportMenuProps = Pick<
  DiagramToolbarProps,
  'layout' | 'view' | 'tables' | 'hidden' | 'positionsKey'
>;

/** Requests with a longer address are rejected by servers; most accept 16 kB. */
const maxAddressLength = 12_000;

function ExportMenu(props: ExportMenuProps): JSX.Element {
  const { layout, view, tables, hidden, positionsKey } = props;
  const saved = useTablePositions(positionsKey);
  const names = layout?.tables.map(({ name }) => name) ?? [];
  const shown = names.filter((name) => !hidden.has(name));
  const addressOf = (format: DiagramExportFormat, positions: string | undefined): string => {
    const isText = format === 'mermaid' || format === 'dbml';
    const { columns, ...ofTables } = queryOf({
      ...view,
      tables: isText && shown.length < names.length ? shown : tables,
    });
    const ofPicture = isText
      ? { columns: format === 'mermaid' ? columns : undefined }
      : { columns, theme: currentTheme(), positions, hidden: hiddenAmong(names, hidden) };
    return client.address('GET /export/schema', { query: { format, ...ofPicture, ...ofTables } });
  };
  const all = positionsText(saved, names);
  const fits = addressOf('svg', all).length <= maxAddressLength;
  return (
    <Menu
      trigger={
        <button className="btn">
          <Icon name="download" size="s" /> <span className="word">{commonTexts.export}</span>
          <Icon name="chevron-down" size="xs" />
        </button>
      }
      items={exportFormats.map((format) => ({
        label: formatTitles[format],
        hasSeparator: format === 'mermaid',
        onChoose: () => void downloadSchema(addressOf(format, fits ? all : undefined)),
      }))}
      note={fits ? undefined : texts.positionsIgnored}
    />
  );
}

function hiddenAmong(
  names: readonly string[],
  hidden: ReadonlySet<string>,
): readonly string[] | undefined {
  const found = names.filter((name) => hidden.has(name));
  return found.length === 0 ? undefined : [encodeList(found)];
}

/** The positions of the moved tables among these, in the notation of the API. Undefined if there are none. */
function positionsText(saved: SavedPositions, names: readonly string[]): string | undefined {
  const rounded = (pixels: number): number => Math.round(pixels * 100) / 100;
  const savedPositions = names.flatMap((name) => {
    const position = Object.hasOwn(saved, name) ? saved[name] : undefined;
    return position === undefined
      ? []
      : [[name, [rounded(position.x), rounded(position.y)]] as const];
  });
  return savedPositions.length === 0
    ? undefined
    : JSON.stringify(Object.fromEntries(savedPositions));
}

function useIsMoved(positionsKey: string): boolean {
  return Object.keys(useTablePositions(positionsKey)).length > 0;
}

function countsOf({ tables, relations }: Layout): string {
  const views = tables.filter(({ kind }) => kind !== 'table').length;
  return [
    texts.tables({ count: tables.length - views }),
    ...(views === 0 ? [] : [texts.views({ count: views })]),
    texts.relations({ count: relations.length }),
  ].join(', ');
}

function withoutTables(
  { tables, relations, ...layout }: Layout,
  hidden: ReadonlySet<string>,
): Layout {
  return {
    ...layout,
    tables: tables.filter(({ name }) => !hidden.has(name)),
    relations: relations.filter(({ from, to }) => !hidden.has(from.table) && !hidden.has(to.table)),
  };
}

/** Undoes the last move of a table, or the last reset. */
function UndoButton({ positionsKey }: { readonly positionsKey: string }): JSX.Element {
  const canUndo = useCanUndoMove(positionsKey);
  const undo = (): void => undoMove(positionsKey);
  useShortcut('mod+z', undo, { whileTyping: false });
  return (
    <button
      className="ib"
      aria-disabled={!canUndo}
      aria-label={texts.undoMove}
      title={canUndo ? texts.undoMove : texts.nothingToUndo}
      onClick={undo}
    >
      <Icon name="undo" size="s" />
    </button>
  );
}

/** Resets the positions of moved tables. */
function ArrangeButton({ positionsKey }: { readonly positionsKey: string }): JSX.Element {
  const isMoved = useIsMoved(positionsKey);
  return (
    <button
      className="btn"
      aria-disabled={!isMoved}
      title={isMoved ? texts.resetLayoutHint : texts.nothingMoved}
      onClick={() => {
        if (isMoved) resetTablePositions(positionsKey);
      }}
    >
      <Icon name="shuffle" size="s" /> <span className="word">{texts.resetLayout}</span>
    </button>
  );
}
