import type { JSX } from 'react';
import { client } from '../api/client.ts';
import { currentTheme } from '../app/theme.ts';
import { startDownload } from '../exporting/start-download.ts';
import { Icon } from '../parts/icon.tsx';
import { Menu } from '../parts/menu.tsx';
import { useShortcut } from '../parts/use-shortcut.ts';
import { SidebarButton } from '../shell/sidebar-button.tsx';
import type { ChangeView, DiagramView } from './diagram-address.ts';
import { queryOf } from './layout-query.ts';
import type { Layout } from './layout-query.ts';
import {
  resetTablePositions,
  undoMove,
  useCanUndoMove,
  useTablePositions,
} from './table-positions-store.ts';
import { TableSearch } from './table-search.tsx';
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
}

const shownColumns = [
  ['all', texts.allColumns],
  ['keys', texts.keys],
  ['none', texts.names],
] as const;

/** The toolbar: options of the diagram, and its export. */
export function DiagramToolbar(props: DiagramToolbarProps): JSX.Element {
  const { layout, view, onChange, tables, hidden, positionsKey } = props;
  const shown = layout === undefined ? undefined : withoutTables(layout, hidden);
  const hiddenCount = (layout?.tables.length ?? 0) - (shown?.tables.length ?? 0);
  return (
    <div className="toolbar diagram-bar">
      <SidebarButton />
      <h1 className="title">{commonTexts.diagram}</h1>
      <span className="t3 counts">{shown !== undefined && countsOf(shown)}</span>
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
        tables={shown?.tables ?? []}
        onFind={(around) => onChange({ around, isAlone: false })}
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
      <ExportMenu view={view} tables={tables} positionsKey={positionsKey} />
    </div>
  );
}

type ExportMenuProps = Pick<DiagramToolbarProps, 'view' | 'tables' | 'positionsKey'>;

/** The texts for diagram tools have all columns. The server draws the pictures, and does not know the positions of moved tables. */
function ExportMenu({ view, tables, positionsKey }: ExportMenuProps): JSX.Element {
  const isMoved = useIsMoved(positionsKey);
  return (
    <Menu
      trigger={
        <button className="btn">
          <Icon name="download" size="s" /> <span className="word">{commonTexts.export}</span>
          <Icon name="chevron-down" size="xs" />
        </button>
      }
      items={(['svg', 'png', 'pdf', 'mermaid', 'dbml'] as const).map((format) => ({
        label: formatTitles[format],
        hasSeparator: format === 'mermaid',
        onChoose: () => {
          const { columns, ...ofTables } = queryOf({ ...view, tables });
          const isText = format === 'mermaid' || format === 'dbml';
          const ofPicture = isText ? {} : { columns, theme: currentTheme() };
          const query = { format, ...ofPicture, ...ofTables };
          void startDownload(client.address('GET /export/schema', { query }));
        },
      }))}
      note={isMoved ? texts.positionsIgnored : undefined}
    />
  );
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
