/** Texts of the export form. */
export const exportingTexts = {
  newExport: 'New export',

  // What is exported
  what: 'What to export',
  thisView: 'This view',
  thisResult: 'This result',
  resultNote: 'rows of the last statement',
  dataNote: 'rows of selected tables',
  schema: 'Schema',
  schemaNote: 'structure without rows',
  dump: 'Schema and data',
  dumpNote: 'one SQL file',
  diagramNote: 'PDF, PNG, SVG',
  models: 'Go models',
  modelsNote: 'structs for GORM',
  filtered: 'filtered',
  sorted: 'sorted',
  filteredAndSorted: 'filtered and sorted',

  // The format, and how its file looks
  format: 'Format',
  formatNotes: {
    array: 'an array',
    diagramTools: 'for diagram tools',
    createTables: 'CREATE TABLE',
    document: 'one document',
    documents: 'for documents',
    everything: 'everything',
    inserts: 'INSERT',
    oneFile: 'one file',
    onePage: 'one page',
    oneSheet: 'one sheet',
    raster: 'raster image',
    rowPerLine: 'one row per line',
    sheetPerTable: 'one sheet per table',
    table: 'a table',
    vector: 'vector image',
    zip: 'zip, one file per table',
  },

  // Tables and rows
  selectedCount: ({ selected, total }: { readonly selected: number; readonly total: number }) =>
    `${selected} of ${total} selected`,
  allTables: 'All tables',
  views: 'Views',
  noViewsInScripts:
    'A SQL file has no rows of views, because INSERT statements cannot write into them. Choose another format for these rows.',
  showTables: 'Show tables',
  tablesOf: ({ namespace }: { readonly namespace: string }) => `Tables of ${namespace}`,
  tableCount: ({ count }: { readonly count: number }) =>
    `${count} ${count === 1 ? 'table' : 'tables'}`,
  filteredBy: ({ columns }: { readonly columns: readonly string[] }) =>
    `filtered by ${columns.join(' or ')}`,
  searched: ({ text }: { readonly text: string }) => `searched for “${text}”`,
  sortedBy: ({ column, descending }: { readonly column: string; readonly descending: boolean }) =>
    descending ? `by ${column}, descending` : `by ${column}`,
  withDeleted: 'including deleted rows',
  allRows: 'all rows',
  ofAllPages: ({ rows }: { readonly rows: string }) => `${rows}, from all pages.`,
  wholeResult: 'All rows of the result.',
  partOfResult:
    'Only the rows that are shown. The statement returned more: add a LIMIT, or export the table.',

  // Options
  shownColumns: 'Only the columns that are shown, in their order',
  targetDatabase: 'Target database',
  thisDatabase: 'This database',
  emptyField: 'empty field',
  byteOrderMark: 'Byte order mark, for Excel',
  findTable: 'Find a table',
  noTableFound: 'No table has this name.',
  escapeFormulas: 'Escape formulas for spreadsheets',
  dateForm: 'Dates',
  decimalComma: 'Decimal comma',
  allColumns: 'All',
  keyColumns: 'Keys',
  noColumns: 'None',
  colors: 'Colors',
  light: 'Light',
  dark: 'Dark',
  package: 'Package',
  packageHint: 'models',
  nullAs: 'NULL as',
  pointer: 'Pointer',
  jsonTags: 'JSON tags',

  // Why nothing can be exported
  resultGone: 'The result is no longer shown. Run the statement again.',
  noTable: 'Select at least one table.',
};
