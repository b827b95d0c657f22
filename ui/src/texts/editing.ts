/** Texts of the editors of values, of copying and pasting, and of the review of changes. */
export const editingTexts = {
  // Why something cannot be changed
  generatedColumn: 'The database generates this column.',
  tableWithoutKey:
    'Rows of this table have no key, so the studio cannot identify the row to change.',
  rowWithoutKey: 'This row has no key, so the studio cannot identify it.',
  rowsNotLoaded:
    'Some of the selected rows are not loaded yet. Select fewer rows, or show them in pages.',
  rowsNotLoadedForCopy:
    'Some of the selected rows are not loaded yet. Export the table to get all of them.',

  // The editor of a cell
  editColumn: ({ column }: { readonly column: string }) => `Edit ${column}`,
  chooseDate: ({ column }: { readonly column: string }) => `Choose a date for ${column}`,
  number: 'Number',
  text: 'Text',
  storedAsNumber: 'Stored as a number. Click to store as text.',
  storedAsText: 'Stored as text. Click to store as a number.',
  emptyButton: 'EMPTY',
  setEmpty: 'Set empty string',
  enterNumber: 'Enter a number, or set NULL.',
  notNumber: 'This is not a number.',
  notBoolean: 'Enter true or false.',
  jsonError: ({
    line,
    column,
    message,
  }: {
    readonly line: number;
    readonly column: number;
    readonly message: string;
  }) => `Line ${line}, column ${column}: ${message}`,
  confirmInvalid: ({ column, problem }: { readonly column: string; readonly problem: string }) =>
    `${column}: ${problem} Leave and discard the text?`,

  // The list of rows that a foreign key can reference
  searchTable: ({ table }: { readonly table: string }) => `Search ${table}`,
  noMatchingRows: 'No matching rows',
  shownOfTotal: ({ shown, total }: { readonly shown: string; readonly total: string }) =>
    `${shown} of ${total}`,

  // Copying and pasting
  copied: 'Copied',
  notCopied: 'Nothing was copied',
  notPasted: 'Nothing was pasted',
  tooManyColumns: ({
    pasted,
    columnsToTheRight,
  }: {
    readonly pasted: number;
    readonly columnsToTheRight: number;
  }) =>
    `The clipboard has ${pasted} columns, but only ${columnsToTheRight} can be pasted from this column on.`,
  columnProblem: ({ column, problem }: { readonly column: string; readonly problem: string }) =>
    `${column}: ${problem}`,
  keysIgnored: 'Keys pressed while the value was loading were ignored. Press F2 to edit it.',
  noCopiedText: 'The clipboard has no text.',
  binaryNotPasted: 'Binary values cannot be pasted. Upload a file instead.',

  // The bar of unsaved changes, and their review
  failedSave: ({ title, reason }: { readonly title: string; readonly reason: string }) =>
    `${title}. ${reason}`,
  saving: 'Saving …',
  changes: ({ count }: { readonly count: number }) =>
    `${count} ${count === 1 ? 'change' : 'changes'}`,
  new: 'new',
  edited: 'edited',
  deleted: 'deleted',
  review: 'Review',
  changesTo: ({ table }: { readonly table: string }) => `Changes to ${table}`,
  oneTransaction: 'All changes are saved in one transaction.',
  noTransactions:
    'Changes are saved one by one, because the storage engine of the table has no transactions.',
  discardAll: 'Discard all',
  copySql: 'Copy SQL',
  newRow: 'New row',
  rowWillBeDeleted: 'Not saved, because the row will be deleted.',
  changedRow: ({ row, kind }: { readonly row: string; readonly kind: string }) => `${row}, ${kind}`,
  revertChangesOf: ({ name }: { readonly name: string }) => `Revert ${name}`,
  sqlOf: ({ row }: { readonly row: string }) => `SQL of ${row}`,
  notShown: ({ size }: { readonly size: string }) => `${size} not shown`,

  // What foreign keys do to other rows
  rowsOf: ({ rows, table }: { readonly rows: string; readonly table: string }) =>
    `${rows} of ${table}`,
  atLeast: ({ rows }: { readonly rows: string }) => `at least ${rows}`,
  alsoDeletes: ({ rows }: { readonly rows: string }) => `Also deletes ${rows}.`,
  alsoChanges: ({ columns, rows }: { readonly columns: string; readonly rows: string }) =>
    `Also changes ${columns} in ${rows}.`,
  alsoSetsNull: ({ columns, rows }: { readonly columns: string; readonly rows: string }) =>
    `Also sets ${columns} to NULL in ${rows}.`,
  alsoSetsDefault: ({ columns, rows }: { readonly columns: string; readonly rows: string }) =>
    `Also sets ${columns} to the default in ${rows}.`,
  notAllCounted: ({ error }: { readonly error: string }) => `Not all could be counted: ${error}`,

  // A conflict with the change of another client
  deletedByOther: 'Someone else deleted this row',
  changedByOther: 'Someone else changed this row',
  chooseValues: ({ table, id }: { readonly table: string; readonly id: string }) =>
    `${table} ${id}. Nothing has been saved. Choose the values to keep.`,
  chooseForDeleted: ({ table, id }: { readonly table: string; readonly id: string }) =>
    `${table} ${id}. Nothing has been saved.`,
  theirVersion: 'Their version',
  yourVersion: 'Your version',
  useTheirVersion: 'Use their version',
  keepYourVersion: 'Keep your version',
  saveMerged: 'Save merged row',
  changedByThemOnly: 'changed in their version only',
  was: 'was',
  versionOf: ({ version, column }: { readonly version: string; readonly column: string }) =>
    `${version} of ${column}`,
  discardOrMove: 'Discard your changes, or move them to a new row.',
  discardYours: 'Discard your changes',
  moveToNewRow: 'Move to a new row',
};
