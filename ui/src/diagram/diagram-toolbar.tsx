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
import { forgetPlaces, usePlaces } from './places-store.ts';
import { TableSearch } from './table-search.tsx';

interface DiagramToolbarProps {
  readonly layout: Layout | undefined;
  readonly view: DiagramView;
  readonly onChange: ChangeView;
  /** Only these are drawn; all when undefined. */
  readonly tables: readonly string[] | undefined;
  readonly placesKey: string;
}

const shownColumns = [
  ['all', 'All columns'],
  ['keys', 'Keys'],
  ['none', 'Names'],
] as const;

/** What is drawn, and out of the studio with it. */
export function DiagramToolbar(props: DiagramToolbarProps): JSX.Element {
  const { layout, view, onChange, tables, placesKey } = props;
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
      <ArrangeButton placesKey={placesKey} />
      <ExportMenu view={view} tables={tables} placesKey={placesKey} />
    </div>
  );
}

type ExportMenuProps = Pick<DiagramToolbarProps, 'view' | 'tables' | 'placesKey'>;

/** Pictures are drawn by the server, which does not know what was moved here. */
function ExportMenu({ view, tables, placesKey }: ExportMenuProps): JSX.Element {
  const isMoved = useIsMoved(placesKey);
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
      note={isMoved ? 'Pictures have moved tables where the layout has them.' : undefined}
    />
  );
}

function useIsMoved(placesKey: string): boolean {
  return Object.keys(usePlaces(placesKey)).length > 0;
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

/** Undoes what was moved by hand. */
function ArrangeButton({ placesKey }: { readonly placesKey: string }): JSX.Element {
  const isMoved = useIsMoved(placesKey);
  return (
    <button
      className="btn"
      aria-disabled={!isMoved}
      title={
        isMoved ? 'Puts moved tables back where the layout has them' : 'No table has been moved.'
      }
      onClick={() => {
        if (isMoved) forgetPlaces(placesKey);
      }}
    >
      <Icon name="shuffle" size="s" /> <span className="word">Arrange</span>
    </button>
  );
}
