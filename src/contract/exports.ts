import { listParameters } from './list-parameters.ts';
import { choice, flag, list, optionalChoice, text, token } from './parameter.ts';
import { jobErrors } from './route.ts';
import type { Route } from './route.ts';

export const tables = list(
  'Names of tables, parted by commas: only these. A comma in a name is `%2C`.',
);

export const diagramColumns = choice('The columns that the diagram shows.', [
  'all',
  'keys',
  'none',
]);

const dialect = text(
  'The database to write SQL for, when it is not the one that the studio is on.',
);

const formulas = optionalChoice(
  "`raw`: text that a spreadsheet would run is left as it is, without the `'` that keeps it from running.",
  ['raw'],
);

const transfer = token(
  'A name of its own that the client gives this download, by which `/transfers/:transfer` tells how far it is.',
);

const dataFormats = ['json', 'csv', 'sql', 'xlsx', 'ndjson'] as const;

const { sort_by, sort_order, search, show_deleted } = listParameters;

const file = { 200: { description: 'The file.', contentType: '*/*' } } as const;

const structureErrors = [...jobErrors, 'table_not_found'] as const;
const rowErrors = [...structureErrors, 'invalid_value'] as const;

/** The formats of the structure that are drawn. */
const diagramFormats: ReadonlySet<unknown> = new Set(['svg', 'png', 'pdf']);

export function isDiagram(format: unknown): boolean {
  return diagramFormats.has(format);
}

/** What goes out as a file. */
export const exportRoutes = {
  'export-schema': {
    method: 'GET',
    path: '/export/schema',
    summary: 'The structure as a file',
    description:
      '`json` and `yaml` hold all tables, views and enums and import back to the same structure. `sql` is in the dialect of the ' +
      "studio's database, or in `dialect`. `dbml` and `mermaid` are texts for diagram tools; `svg`, `png` and `pdf` " +
      'are the diagram itself. What a format could not hold, and each trigger, routine or other object that ' +
      'no text holds, is named in the header `Studio-Warnings`, a percent-encoded JSON array of sentences, ' +
      'as far as a header takes it, and in comments where the format has them.',
    query: {
      format: choice('The format of the file.', [
        'json',
        'sql',
        'yaml',
        'dbml',
        'mermaid',
        'svg',
        'png',
        'pdf',
      ]),
      tables,
      dialect,
      columns: diagramColumns,
      theme: choice('The colours of the diagram.', ['light', 'dark']),
    },
    answers: file,
    errors: structureErrors,
    startsJob: true,
    access: 'read',
  },
  'export-data': {
    method: 'GET',
    path: '/export/data',
    summary: 'All rows as a file',
    description:
      'The rows of all tables, from one moment; where the database has no snapshots to read from, the header ' +
      '`Studio-Consistency: none` says so. `json` is one document, `csv` a zip archive with one file a table, ' +
      '`sql` INSERT statements in an order that keys allow, `xlsx` a sheet a table, `ndjson` a line a row. ' +
      'Each imports back. A failure after the first byte breaks the connection.',
    query: {
      format: choice('The format of the file.', dataFormats),
      tables,
      dialect,
      formulas,
      transfer,
    },
    answers: file,
    errors: rowErrors,
    startsJob: true,
    access: 'read',
  },
  'export-table': {
    method: 'GET',
    path: '/tables/:table/export',
    summary: 'The rows of a table as a file',
    description:
      'The rows of a table or view that the parameters of the row list leave, in their order.',
    query: {
      format: choice('The format of the file.', dataFormats),
      columns: list('Names of columns, parted by commas: only these, in this order.'),
      dialect,
      formulas,
      transfer,
      sort_by,
      sort_order,
      search,
      show_deleted,
    },
    takesFilters: true,
    answers: file,
    errors: [...rowErrors, 'unknown_column'],
    startsJob: true,
    access: 'read',
  },
  'export-models': {
    method: 'GET',
    path: '/export/models',
    summary: 'Go structs for GORM',
    description:
      "One Go file of structs with GORM's tags, for which AutoMigrate on this database changes nothing.",
    query: {
      tables,
      package: text("The package's name; `models` when absent."),
      nulls: choice(
        'What a column that takes NULL becomes: a pointer, or a type of database/sql.',
        ['pointer', 'sql'],
      ),
      json: flag('Fields get `json` tags too.'),
    },
    answers: file,
    errors: structureErrors,
    access: 'read',
  },
} as const satisfies Record<string, Route>;
