/** Texts of the frame around the pages: sidebar, tabs, command palette, shortcuts, start page. */
export const shellTexts = {
  // The frame
  skipToContent: 'Skip to content',

  // The sidebar
  database: 'Database',
  readOnly: 'Read-only',
  showSidebar: 'Show sidebar',
  hideSidebar: 'Hide sidebar',
  withShortcut: ({ label, key }: { readonly label: string; readonly key: string }) =>
    `${label} ( ${key} )`,
  filterTables: 'Filter tables',
  reloadStructure: 'Reload structure',
  structureNotReloaded: 'Could not reload the structure',
  structureNotRead: 'Could not read the structure',
  changesPreserved: 'Your unsaved changes are preserved.',
  noTables: 'No tables yet',
  noMatchingTables: 'No matching tables',
  commented: ({ table, comment }: { readonly table: string; readonly comment: string }) =>
    `${table}: ${comment}`,
  logOut: 'Log out',
  switchTheme: 'Switch theme',

  // The tabs
  openTabs: 'Open tabs',
  closeTab: ({ title }: { readonly title: string }) => `Close ${title}`,

  // The command palette
  palette: 'Search or run a command',
  paletteHint: 'Table, column, record, saved query or command',
  results: 'Results',
  noResults: 'No results.',
  notSearched: ({ tables, more }: { readonly tables: string; readonly more: number }) =>
    more > 0
      ? `Not searched for records: ${tables} and ${more} more.`
      : `Not searched for records: ${tables}.`,
  newSqlTab: 'New SQL tab',
  allTables: 'All tables',
  showData: ({ table }: { readonly table: string }) => `Show data of ${table}`,
  showStructure: ({ table }: { readonly table: string }) => `Show structure of ${table}`,
  addRow: ({ table }: { readonly table: string }) => `Add row to ${table}`,
  exportView: 'Export this view',
  saveChanges: 'Save changes',
  discardChanges: 'Discard changes',
  savedQuery: 'saved query',

  // The start page
  emptyDatabase: 'This database has no tables yet',
  getStarted: 'Drop a file anywhere, or start with one of these:',
  importFile: 'Import a file',
  importModels: 'Import Go models',
  createTables: 'Create tables with SQL',
  aboutFiles:
    'Schema files (SQL, DBML, JSON, YAML) and Go models create tables. Data files (CSV, JSON, XLSX, SQL) fill them.',
  pageNotFound: 'Page not found',
  tableMissing: 'The table may have been renamed or dropped.',
  showAllTables: 'Show all tables',
};

/** The list of keyboard shortcuts. */
export const shortcutTexts = {
  title: 'Keyboard shortcuts',
  list: 'Shortcuts',
  everywhere: 'Everywhere',
  changes: 'Changes',
  bothKeys: ({ first, second }: { readonly first: string; readonly second: string }) =>
    `${first} and ${second}`,
  eitherKey: ({ first, second }: { readonly first: string; readonly second: string }) =>
    `${first} or ${second}`,
  find: 'Find a table, column, record, saved query or command',
  filterTables: 'Filter tables',
  toggleSidebar: 'Hide or show the sidebar',
  backAndForward: 'Go back or forward',
  showShortcuts: 'Show keyboard shortcuts',
  showNeighbors: 'Show the neighbors of the table',
  moveTable: 'Move the table, with Shift in larger steps',
  hideTable: 'Hide the table',
  undoMove: 'Undo the move',
  addFilter: 'Add a filter',
  move: 'Move; with Shift, select',
  editCell: 'Edit the cell',
  nextCell: 'Next cell while you enter values; after Esc, leave the rows',
  openRecord: 'Open the record',
  clearCells: 'Set the cells to NULL',
  deleteRows: 'Delete the rows',
  cut: 'Cut',
  paste: 'Paste',
  duplicateRow: 'Duplicate the row',
  selectAll: 'Select all',
  resizeColumn: 'Make the column narrower or wider',
  moveColumn: 'Move the column',
  hideColumn: 'Hide the column',
  runStatement: 'Run the statement under the cursor, or the selected ones',
  runAll: 'Run all statements',
};
