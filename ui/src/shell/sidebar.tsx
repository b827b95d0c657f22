import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import type { JSX } from 'react';
import { localNameOf } from '../api/table-name.ts';
import { useWriteDisabledReason } from '../api/capabilities.ts';
import { configQuery, refreshSchema, schemaQuery } from '../api/queries.ts';
import type { Schema, Table } from '../api/queries.ts';
import { switchTheme } from '../app/theme.ts';
import { logOut } from '../editing/log-out.ts';
import { openExport } from '../exporting/open-export.ts';
import { requestGridFocus } from '../grid/request-grid-focus.ts';
import { CutName } from '../parts/cut-name.tsx';
import { messageOf } from '../parts/error-notice.tsx';
import { Icon, Logo } from '../parts/icon.tsx';
import { cutNames } from '../parts/cut-names.ts';
import type { CutParts } from '../parts/cut-names.ts';
import { useIsPhone } from '../parts/use-is-phone.ts';
import { useShortcut } from '../parts/use-shortcut.ts';
import { showToast } from '../parts/toast.tsx';
import { countText } from './count-text.ts';
import { setDrawerOpen, setSidebarCollapsed, useDrawer, useSidebarCollapsed } from './drawer.ts';
import { Palette } from './palette.tsx';
import { ShortcutSheet } from './shortcut-sheet.tsx';
import { shellTexts as texts } from '../texts/shell.ts';
import { commonTexts } from '../texts/common.ts';

/** Shows the database and its tables. */
export function Sidebar(): JSX.Element {
  const { data: schema, error, isPending } = useQuery(schemaQuery);
  const [filter, setSearchText] = useState('');
  const isOpen = useDrawer();
  const isPhone = useIsPhone();
  const isCollapsed = useSidebarCollapsed() && !isPhone;
  useShortcut('[', () => setSidebarCollapsed(!isCollapsed));
  return (
    <>
      {isOpen && isPhone && <DrawerScrim />}
      <nav
        className={`side ${isOpen ? 'open' : ''} ${isCollapsed ? 'collapsed' : ''}`}
        aria-label={texts.database}
        inert={isPhone && !isOpen}
        onClick={(event) => {
          // The drawer covers the page that the link opens, so a click closes it.
          if ((event.target as HTMLElement).closest('a') !== null) setDrawerOpen(false);
        }}
      >
        <DatabaseName schema={schema} />
        <Palette />
        <PageLinks />
        <div className="rule" />
        <TableFilter
          filter={filter}
          first={matchingTables(schema, filter)[0]}
          onFilter={setSearchText}
        />
        <div className="tree">
          {error !== null && <p className="err pad">{messageOf(error)}</p>}
          {isPending && <Skeletons />}
          {schema !== undefined && <Namespaces schema={schema} filter={filter} />}
        </div>
        <Foot />
        <ShortcutSheet />
      </nav>
    </>
  );
}

function PageLinks(): JSX.Element {
  return (
    <div className="nav">
      <Link to="/sql" activeProps={{ 'aria-current': 'page' }}>
        <Icon name="sql" /> {commonTexts.sql}
      </Link>
      <Link to="/diagram" activeProps={{ 'aria-current': 'page' }}>
        <Icon name="diagram" /> {commonTexts.diagram}
      </Link>
      <Link to="/import" activeProps={{ 'aria-current': 'page' }}>
        <Icon name="upload" /> {commonTexts.import}
      </Link>
      <button onClick={() => openExport('data')}>
        <Icon name="download" /> {commonTexts.export}
      </button>
    </div>
  );
}

function Foot(): JSX.Element {
  const { data: config } = useQuery(configQuery);
  const isPhone = useIsPhone();
  return (
    <div className="foot">
      {!isPhone && (
        <button
          className="ib"
          aria-label={texts.hideSidebar}
          title={texts.withShortcut({ label: texts.hideSidebar, key: '[' })}
          onClick={() => setSidebarCollapsed(true)}
        >
          <Icon name="left" />
        </button>
      )}
      <span className="grow" />
      {config?.login === true && (
        <button
          className="ib"
          aria-label={texts.logOut}
          title={texts.logOut}
          onClick={() => {
            void logOut();
          }}
        >
          <Icon name="logout" />
        </button>
      )}
      <button
        className="ib"
        aria-label={texts.switchTheme}
        title={texts.switchTheme}
        onClick={switchTheme}
      >
        <Icon name="sun" />
      </button>
    </div>
  );
}

/** The backdrop of the drawer. A tap on it, or Escape, closes the drawer. */
function DrawerScrim(): JSX.Element {
  useShortcut('escape', () => setDrawerOpen(false), { whileTyping: true });
  return <div className="scrim drawer-scrim" onClick={() => setDrawerOpen(false)} />;
}

function DatabaseName({ schema }: { readonly schema: Schema | undefined }): JSX.Element {
  const readOnlyReason = useWriteDisabledReason();
  return (
    <div className="db">
      <Logo />
      <div className="grow cut">
        <Link to="/" className="name" title={schema?.database}>
          {fileName(schema?.database ?? '') || texts.database}
        </Link>
      </div>
      {readOnlyReason !== undefined && (
        <span className="badge lock" title={readOnlyReason}>
          <Icon name="lock" /> {texts.readOnly}
        </span>
      )}
      {schema !== undefined && (
        <span className="badge" title={`${schema.driver} ${schema.server_version}`}>
          {schema.driver}
        </span>
      )}
    </div>
  );
}

function fileName(database: string): string {
  return database.split(/[\\/]/).at(-1) ?? database;
}

interface TableFilterProps {
  readonly filter: string;
  /** The first table that the filter shows. */
  readonly first: Table | undefined;
  readonly onFilter: (text: string) => void;
}

function TableFilter({ filter, first, onFilter }: TableFilterProps): JSX.Element {
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  useShortcut('/', () => input.current?.focus());
  const refresh = (): void => {
    refreshSchema().catch((error: unknown) =>
      showToast({
        kind: 'error',
        title: texts.structureNotReloaded,
        detail: messageOf(error),
      }),
    );
  };
  return (
    <div className="filter">
      <Icon name="filter" size="s" />
      <input
        ref={input}
        className="grow bare"
        placeholder={texts.filterTables}
        aria-label={texts.filterTables}
        value={filter}
        onChange={(event) => onFilter(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onFilter('');
          if (event.key !== 'Enter' || filter === '' || first === undefined) return;
          requestGridFocus();
          event.currentTarget.blur();
          void navigate({ to: '/tables/$table', params: { table: first.name } });
        }}
      />
      <kbd>/</kbd>
      <button
        className="ib sm"
        aria-label={texts.reloadStructure}
        title={texts.reloadStructure}
        onClick={refresh}
      >
        <Icon name="refresh" size="s" />
      </button>
    </div>
  );
}

function Skeletons(): JSX.Element {
  return (
    <div className="skeletons" aria-hidden="true">
      {[70, 52, 84, 61, 45, 76].map((width) => (
        <div key={width} className="skel" style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}

interface NamespacesProps {
  readonly schema: Schema;
  readonly filter: string;
}

function matchingTables(schema: Schema | undefined, filter: string): readonly Table[] {
  return [...(schema?.tables ?? []), ...(schema?.views ?? [])].filter(({ name }) =>
    name.toLowerCase().includes(filter.toLowerCase()),
  );
}

function Namespaces({ schema, filter }: NamespacesProps): JSX.Element {
  const matching = matchingTables(schema, filter);
  const groups = Map.groupBy(matching, (table) => table.schema);
  if (matching.length === 0)
    return <p className="pad t3">{filter === '' ? texts.noTables : texts.noMatchingTables}</p>;
  return (
    <>
      {[...groups].map(([namespace, tables]) => (
        <Namespace key={namespace} name={namespace} tables={tables} isAlone={groups.size === 1} />
      ))}
    </>
  );
}

interface NamespaceProps {
  readonly name: string;
  readonly tables: readonly Table[];
  readonly isAlone: boolean;
}

function Namespace({ name, tables, isAlone }: NamespaceProps): JSX.Element {
  const [isOpen, setOpen] = useState(true);
  const parts = useMemo(() => cutNames(tables.map(localNameOf)), [tables]);
  return (
    <>
      {!(isAlone && name === '') && (
        <button className="ns" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon name={isOpen ? 'chevron-down' : 'right'} size="xs" />
          {name === '' ? commonTexts.defaultNamespace : name}
          <span className="cnt">{tables.length}</span>
        </button>
      )}
      {isOpen && (
        <div className="nav">
          {tables.map((table) => (
            <TableLink key={table.name} table={table} parts={parts.get(localNameOf(table))} />
          ))}
        </div>
      )}
    </>
  );
}

interface TableLinkProps {
  readonly table: Table;
  readonly parts: CutParts | undefined;
}

function TableLink({ table, parts }: TableLinkProps): JSX.Element {
  const { table: open } = useParams({ strict: false });
  const isOpen = open === table.name;
  return (
    <Link
      to="/tables/$table"
      params={{ table: table.name }}
      title={
        table.comment === ''
          ? table.name
          : texts.commented({ table: table.name, comment: table.comment })
      }
      {...(isOpen ? { 'aria-current': 'page' as const } : {})}
    >
      <Icon name={table.kind === 'table' ? 'table' : 'view'} />
      <CutName name={localNameOf(table)} parts={parts} />
      <span className="cnt" title={table.row_count_error ?? table.structure_error}>
        {countText(table)}
      </span>
    </Link>
  );
}
