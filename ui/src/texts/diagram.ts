/** Texts of the diagram. */
export const diagramTexts = {
  computing: 'Computing the layout …',
  noTables: 'This database has no tables yet.',
  tables: ({ count }: { readonly count: number }) => `${count} ${count === 1 ? 'table' : 'tables'}`,
  views: ({ count }: { readonly count: number }) => `${count} ${count === 1 ? 'view' : 'views'}`,
  relations: ({ count }: { readonly count: number }) =>
    `${count} ${count === 1 ? 'relation' : 'relations'}`,

  // The toolbar
  allColumns: 'All columns',
  keys: 'Keys',
  names: 'Names',
  resetLayout: 'Reset layout',
  resetLayoutHint: 'Move all tables back to their original positions',
  nothingMoved: 'No table has been moved.',
  positionsInBrowser: 'The positions were saved in this browser only',
  positionsIgnored: 'Too many tables were moved: exports ignore their positions.',
  undoMove: 'Undo move',
  nothingToUndo: 'Nothing to undo',
  showHidden: ({ count }: { readonly count: number }) => `Show ${count} hidden`,
  showHiddenHint: 'Show the tables that you hid',
  findTable: 'Find a table or column',
  findTablePlaceholder: 'Table or column',
  results: 'Results',
  noMatches: 'No matching tables or columns',

  // A table
  open: ({ table }: { readonly table: string }) => `Open ${table}`,
  goTo: ({ table }: { readonly table: string }) => `Go to ${table}`,
  moreColumns: ({ count }: { readonly count: number }) =>
    count === 1 ? '1 more column' : `${count} more columns`,
  /** For screen readers, like the two below. */
  view: ({ name }: { readonly name: string }) => `${name}, view`,
  columns: ({ count }: { readonly count: number }) =>
    count === 1 ? '1 column' : `${count} columns`,
  relatedTo: ({ tables }: { readonly tables: string }) => `related to ${tables}`,
  focusHint: 'Press Enter to show the table with its neighbors.',
  focusAndMoveHint:
    'Press Enter to show the table with its neighbors, the arrow keys to move it, with Shift in larger steps, H to hide it, and Escape to finish.',

  // A relation
  relation: ({
    from,
    fromColumns,
    to,
    toColumns,
  }: {
    readonly from: string;
    readonly fromColumns: string;
    readonly to: string;
    readonly toColumns: string;
  }) => `${from} (${fromColumns}) → ${to} (${toColumns})`,
  onlyInModels: 'Declared by models only, without a foreign key constraint.',

  // The focused table
  focusedOn: ({ table }: { readonly table: string }) => `Neighbors of ${table}`,
  neighborsOf: 'Neighbors of',
  distance: 'Distance',
  all: 'all',
  hideOthers: 'Hide others',
  hideTable: 'Hide table',
  clearFocus: 'Clear focus',

  // The view
  minimap: 'Minimap',
  hideMinimap: 'Hide the minimap',
  showMinimap: 'Show the minimap',
  zoom: 'Zoom',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  fitView: 'Fit view',
};
