import type { JSX } from 'react';
import { client } from '../api/client.ts';
import { currentTheme } from '../app/theme.ts';
import { startDownload } from '../exporting/start-download.ts';
import { Icon } from '../parts/icon.tsx';
import { Menu } from '../parts/menu.tsx';
import { SidebarButton } from '../shell/sidebar-button.tsx';
import type { ChangeView, DiagramView } from './diagram-address.ts';
import { queryOf } from './layout-query.ts';
import type { Layout } from './layout-query.ts';
import { resetTablePositions, useTablePositions } from './table-positions-store.ts';
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
  readonly positionsKey: string;
}

const shownColumns = [
  ['all', texts.allColumns],
  ['keys', texts.keys],
  ['none', texts.names],
] as const;

/** The toolbar: options of the diagram, and its export. */
export function DiagramToolbar(props: DiagramToolbarProps): JSX.Element {
  const { layout, view, onChange, tables, positionsKey } = props;
  return (
    <div className="toolbar diagram-bar">
      <SidebarButton />
      <h1 className="title">{commonTexts.diagram}</h1>
      <span className="t3 counts">{layout !== undefined && countsOf(layout)}</span>
      <span className="grow" />
      <TableSearch
        tables={layout?.tables ?? []}
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
      <ArrangeButton positionsKey={positionsKey} />
      <ExportMenu view={view} tables={tables} positionsKey={positionsKey} />
    </div>
  );
}

type ExportMenuProps = Pick<DiagramToolbarProps, 'view' | 'tables' | 'positionsKey'>;

/** The server draws exported pictures, and does not know the positions of moved tables. */
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
      items={(['svg', 'png', 'pdf'] as const).map((format) => ({
        label: formatTitles[format],
        onChoose: () => {
          const query = { format, theme: currentTheme(), ...queryOf({ ...view, tables }) };
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
