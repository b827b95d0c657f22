/** Texts of the SQL page: editor, parameters, results, plans, history. */
export const sqlTexts = {
  // The page
  disabled: 'SQL is disabled',
  disabledByOption: 'The studio was started with --disable-sql.',
  readOnly: 'Read-only',
  readOnlyHint: 'The studio was started read-only: statements may only read.',
  stopAtError: 'Stop at the first error',
  saveHint: 'Save the query, named after its first line',
  run: 'Run',
  runAll: 'Run all',
  explain: 'Explain',
  explainHint: 'Show the plan of the statement',
  noPlan:
    'EXPLAIN is not available: this database shows plans only with a setting of the connection.',

  // The tabs of queries
  queries: 'Queries',
  renameHint: 'Double-click to rename',
  tabName: 'Tab name',
  newTab: 'New tab',
  closeTab: 'Close tab',
  reopen: ({ name }: { readonly name: string }) => `Reopen ${name}`,

  // Parameters
  parameters: 'Parameters',
  typeOf: ({ name }: { readonly name: string }) => `${name}: type`,
  text: 'Text',
  number: 'Number',
  enterValue: ({ name }: { readonly name: string }) => `Enter a value for ${name}.`,
  enterNumber: ({ name }: { readonly name: string }) => `Enter a number for ${name}.`,
  notNumber: ({ name, text }: { readonly name: string; readonly text: string }) =>
    `${name}: ${text} is not a number.`,

  // Before a dangerous statement runs
  confirmOne: 'Run this statement?',
  confirmSeveral: 'Run these statements?',
  cannotUndo: 'This cannot be undone.',
  drops: 'It drops objects or deletes all rows.',
  counting: 'It has no WHERE clause. Counting rows …',
  writesRows: ({ rows }: { readonly rows: string }) => `It has no WHERE clause and writes ${rows}.`,
  notCounted: ({ error }: { readonly error: string }) =>
    `It has no WHERE clause. Its rows could not be counted: ${error}`,

  // Results
  howToRun: ({ shortcut }: { readonly shortcut: string }) =>
    `Press ${shortcut} to run the statement under the cursor.`,
  results: 'Results',
  result: 'Result',
  cell: 'Cell',
  waiting: 'Waiting for the previous statements.',
  running: 'Running …',
  done: 'Done.',
  failed: 'Failed.',
  skipped: 'Not run, because a statement before it failed or the run was canceled.',
  canceled: 'Canceled.',
  canceledInHistory: 'canceled',
  readRows: ({ rows, ms }: { readonly rows: string; readonly ms: number }) => `${rows} in ${ms} ms`,
  readFirstRows: ({ rows, ms }: { readonly rows: string; readonly ms: number }) =>
    `First ${rows} in ${ms} ms`,
  changedRows: ({ rows, ms }: { readonly rows: string; readonly ms: number }) =>
    `Changed ${rows} in ${ms} ms`,
  changedAndReturned: ({
    rows,
    returned,
    ms,
  }: {
    readonly rows: string;
    readonly returned: string;
    readonly ms: number;
  }) => `Changed ${rows}, returned ${returned} in ${ms} ms`,
  moreRows: 'more rows not shown',
  moreRowsHint: 'Add a LIMIT, or export the table instead.',

  // A plan
  planFormat: 'Plan format',
  tree: 'Tree',
  plan: 'Plan',
  fullScan: 'full table scan',
  costHint: 'Estimated cost, including the steps below',
  costShare: 'Share of the total cost',
  byKey: ({ key }: { readonly key: string }) => `by ${key}`,
  stepOf: ({ kind, access }: { readonly kind: string; readonly access: string }) =>
    `${kind}: ${access}`,

  // History and saved queries
  queryHistory: 'Query history',
  history: 'History',
  saved: 'Saved',
  searchHistory: 'Search query history',
  noMatches: 'No matching queries',
  noneSaved:
    'Save a query to list it here, for all users of this database. If the studio is read-only, it is stored in this browser.',
  inThisBrowser: 'Only in this browser',
  savedInBrowser: 'The query was saved in this browser only',
  notRemoved: ({ name }: { readonly name: string }) => `The query ${name} was not removed`,
  noHistory: 'Statements that you run are listed here, and stored in this browser.',
  deleteSaved: ({ name }: { readonly name: string }) => `Delete saved query ${name}`,
  today: 'Today',
  yesterday: 'Yesterday',
};
