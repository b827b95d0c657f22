import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useWriteDisabledReason } from '../api/capabilities.ts';
import { configQuery, findTable, refreshSchema, schemaQuery } from '../api/queries.ts';
import type { Schema } from '../api/queries.ts';
import type { SearchText } from '../app/search-text.ts';
import { switchTheme } from '../app/theme.ts';
import { discardAll } from '../editing/discard.ts';
import { logOut } from '../editing/log-out.ts';
import { save } from '../editing/save.ts';
import { countStaged } from '../editing/staged.ts';
import { useStaged } from '../editing/staged-store.ts';
import type { StagedTable } from '../editing/staged-store.ts';
import { openExport } from '../exporting/open-export.ts';
import { requestGridFocus } from '../grid/request-grid-focus.ts';
import type { IconName } from '../parts/icon.tsx';
import { shortcutText, withShift } from '../parts/modifier-key.ts';
import { useSavedQueries } from '../sql/saved-queries.ts';
import { addSqlTab, showInSqlTab } from '../sql/sql-tabs-store.ts';
import { addRow as addRowTo } from '../table/add-row.ts';
import { countText } from './count-text.ts';
import { setSidebarCollapsed, useSidebarCollapsed } from './drawer.ts';
import type { FoundRecord } from './find-records.ts';
import { showShortcuts } from './shortcut-sheet.tsx';
import { shellTexts as texts, shortcutTexts } from '../texts/shell.ts';
import { commonTexts } from '../texts/common.ts';

export interface Entry {
  readonly label: string;
  readonly icon: IconName;
  readonly note: string;
  /** Returns a promise if the page that it opens has to be loaded. */
  readonly run: () => unknown;
}

type OpenTable = (table: string, search?: SearchText) => () => Promise<void>;

function useOpenTable(): OpenTable {
  const navigate = useNavigate();
  return (table, search) => () => {
    requestGridFocus();
    return navigate({ to: '/tables/$table', params: { table }, ...(search && { search }) });
  };
}

/** The entries that the palette searches by their labels. Columns are many, so they are only listed once a text is typed. */
export function useEntries(withColumns: boolean): readonly Entry[] {
  const { data: schema } = useQuery(schemaQuery);
  const open = useOpenTable();
  const actions = [...useTableActions(), ...useActions(), ...useSavedQueryEntries()];
  return [
    ...tableEntries(schema, open),
    ...actions,
    ...(withColumns ? columnEntries(schema, open) : []),
  ];
}

/** Actions that every page has, as far as the server allows them. */
function useActions(): readonly Entry[] {
  const navigate = useNavigate();
  const { data: config } = useQuery(configQuery);
  const canWrite = useWriteDisabledReason() === undefined;
  const isCollapsed = useSidebarCollapsed();
  const openSql = (): Promise<void> => navigate({ to: '/sql' });
  const openNewTab = (): Promise<void> => {
    addSqlTab();
    return openSql();
  };
  const sql: Entry[] = [
    { label: commonTexts.sql, icon: 'sql', note: '', run: openSql },
    { label: texts.newSqlTab, icon: 'sql', note: '', run: openNewTab },
  ];
  const toggleSidebar: Entry = {
    label: isCollapsed ? texts.showSidebar : texts.hideSidebar,
    icon: 'left',
    note: '[',
    run: () => setSidebarCollapsed(!isCollapsed),
  };
  return [
    ...(config?.disable_sql === true ? [] : sql),
    {
      label: commonTexts.diagram,
      icon: 'diagram',
      note: '',
      run: () => navigate({ to: '/diagram' }),
    },
    ...(canWrite ? [importEntry(() => navigate({ to: '/import' }))] : []),
    { label: commonTexts.export, icon: 'download', note: '', run: () => openExport('data') },
    { label: texts.reloadStructure, icon: 'refresh', note: '', run: () => refreshSchema() },
    { label: shortcutTexts.title, icon: 'text', note: '?', run: showShortcuts },
    { label: texts.switchTheme, icon: 'sun', note: '', run: switchTheme },
    toggleSidebar,
    { label: texts.allTables, icon: 'list', note: '', run: () => navigate({ to: '/' }) },
    ...(config?.login === true ? [logOutEntry] : []),
  ];
}

const importEntry = (run: Entry['run']): Entry => ({
  label: commonTexts.import,
  icon: 'upload',
  note: '',
  run,
});

const logOutEntry: Entry = {
  label: texts.logOut,
  icon: 'logout',
  note: '',
  run: () => logOut(),
};

/** Actions on the table that is open, and on its unsaved changes. */
function useTableActions(): readonly Entry[] {
  const { table: name = '' } = useParams({ strict: false });
  const search: SearchText = useSearch({ strict: false });
  const { data: schema } = useQuery(schemaQuery);
  const table = findTable(schema, name);
  const canWrite = useWriteDisabledReason() === undefined && table?.kind === 'table';
  const store = useStaged(name);
  const open = useOpenTable();
  if (table === undefined) return [];
  const { view, ...data } = search;
  const toggleView: Entry =
    view === 'structure'
      ? { label: texts.showData({ table: name }), icon: 'table', note: '', run: open(name, data) }
      : {
          label: texts.showStructure({ table: name }),
          icon: 'list',
          note: '',
          run: open(name, { ...data, view: 'structure' }),
        };
  const exportView: Entry = {
    label: texts.exportView,
    icon: 'download',
    note: name,
    run: () => openExport('view'),
  };
  const addRow: Entry = {
    label: texts.addRow({ table: name }),
    icon: 'plus',
    note: '',
    run: () => {
      addRowTo(table);
      return open(name, data)();
    },
  };
  const saveChanges: Entry = {
    label: texts.saveChanges,
    icon: 'check',
    note: shortcutText('S'),
    run: () => save(table),
  };
  const discard: Entry = {
    label: texts.discardChanges,
    icon: 'close',
    note: name,
    run: () => discardAll(store),
  };
  return [
    toggleView,
    exportView,
    ...(canWrite ? [addRow] : []),
    ...(countStaged(store.staged) > 0 ? [saveChanges, discard] : []),
    ...historyEntries(store),
  ];
}

function historyEntries({ canUndo, undo, canRedo, redo }: StagedTable): readonly Entry[] {
  const undoEntry: Entry = {
    label: commonTexts.undo,
    icon: 'undo',
    note: shortcutText('Z'),
    run: undo,
  };
  const redoEntry: Entry = {
    label: commonTexts.redo,
    icon: 'redo',
    note: shortcutText(withShift('Z')),
    run: redo,
  };
  return [...(canUndo ? [undoEntry] : []), ...(canRedo ? [redoEntry] : [])];
}

function useSavedQueryEntries(): readonly Entry[] {
  const navigate = useNavigate();
  const saved = useSavedQueries();
  const { data: config } = useQuery(configQuery);
  if (config?.disable_sql === true) return [];
  return saved.map(({ name, statement }) => ({
    label: name,
    icon: 'star',
    note: texts.savedQuery,
    run: () => {
      showInSqlTab(statement);
      return navigate({ to: '/sql' });
    },
  }));
}

/** The entries of records, which are opened beside their table. */
export function useRecordEntries(records: readonly FoundRecord[]): readonly Entry[] {
  const open = useOpenTable();
  return records.map(({ table, title, address }) => ({
    label: title,
    icon: 'panel',
    note: address,
    run: open(table, { open: address }),
  }));
}

function tableEntries(schema: Schema | undefined, open: OpenTable): readonly Entry[] {
  return [...(schema?.tables ?? []), ...(schema?.views ?? [])].map((table) => ({
    label: table.name,
    icon: table.kind === 'table' ? 'table' : 'view',
    note: countText(table),
    run: open(table.name),
  }));
}

function columnEntries(schema: Schema | undefined, open: OpenTable): readonly Entry[] {
  return [...(schema?.tables ?? []), ...(schema?.views ?? [])].flatMap((table) =>
    table.columns.map((column) => ({
      label: `${table.name}.${column.name}`,
      icon: 'columns' as const,
      note: column.type,
      run: open(table.name),
    })),
  );
}
