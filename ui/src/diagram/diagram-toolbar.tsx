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

interface DiagramToolbarProps {
  readonly layout: Layout | undefined;
  readonly view: DiagramView;
  readonly onChange: ChangeView;
  /** The shown tables. Undefined for all tables. */
  readonly tables: readonly string[] | undefined;
  readonly positionsKey: string;
}

const shownColumns = [
  ['all', 'All columns'],
  ['keys', 'Keys'],
  ['none', 'Names'],
] as const;

/** The toolbar: options of the diagram, and its export. */
export function DiagramToolbar(props: DiagramToolbarProps): JSX.Element {
  const { layout, view, onChange, tables, positionsKey } = props;
  return (
    <div className="toolbar diagram-bar">
      <SidebarButton />
      <h1 className="title">Diagram</h1>
      <span className="t3 counts">{layout !== undefined && countsOf(layout)}</span>
      <span className="grow" />
      <TableSearch
        tables={layout?.tables ?? []}
        onFind={(around) => onChange({ around, isAlone: false })}
      />
      <div className="seg" role="group" aria-label="Columns">
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
          <Icon name="download" size="s" /> <span className="word">Export</span>
          <Icon name="chevron-down" size="xs" />
        </button>
      }
      items={(['svg', 'png', 'pdf'] as const).map((format) => ({
        label: format.toUpperCase(),
        onChoose: () => {
          const query = { format, theme: currentTheme(), ...queryOf({ ...view, tables }) };
          void startDownload(client.address('GET /export/schema', { query }));
        },
      }))}
      note={isMoved ? 'Exports ignore the positions of tables that you moved.' : undefined}
    />
  );
}

function useIsMoved(positionsKey: string): boolean {
  return Object.keys(useTablePositions(positionsKey)).length > 0;
}

function countsOf({ tables, relations }: Layout): string {
  const counted = (count: number, what: string): string =>
    `${count} ${what}${count === 1 ? '' : 's'}`;
  const views = tables.filter(({ kind }) => kind !== 'table').length;
  return [
    counted(tables.length - views, 'table'),
    ...(views === 0 ? [] : [counted(views, 'view')]),
    counted(relations.length, 'relation'),
  ].join(', ');
}

/** Resets the positions of moved tables. */
function ArrangeButton({ positionsKey }: { readonly positionsKey: string }): JSX.Element {
  const isMoved = useIsMoved(positionsKey);
  return (
    <button
      className="btn"
      aria-disabled={!isMoved}
      title={
        isMoved ? 'Returns moved tables to their original positions' : 'No table has been moved.'
      }
      onClick={() => {
        if (isMoved) resetTablePositions(positionsKey);
      }}
    >
      <Icon name="shuffle" size="s" /> <span className="word">Arrange</span>
    </button>
  );
}
