import { listParameters } from './list-parameters.ts';
import { choice, flag, list, optionalChoice, text, token } from './parameter.ts';
import { jobErrors } from './route.ts';
import type { Route } from './route.ts';

export const tables = list(
  'Names of the tables to include, separated by commas. A comma in a name is `%2C`.',
);

export const diagramColumns = choice('The columns that the diagram shows.', [
  'all',
  'keys',
  'none',
]);

const dialect = text("The target database of SQL, if it is not the studio's own.");

const formulas = optionalChoice(
  "`raw`: text that a spreadsheet would run as a formula is written unchanged, without the protective `'`.",
  ['raw'],
);

/** How CSV is written. Other formats ignore it. */
const csvStyle = {
  delimiter: optionalChoice('The field delimiter of CSV. Default: a comma.', [
    'comma',
    'semicolon',
    'tab',
    'pipe',
  ]),
  bom: flag('Begins CSV with a byte order mark, without which Excel does not read it as UTF-8.'),
  null_text: text(
    'The text of NULL in CSV, such as `NULL`. Default: an empty field. A stored text like it is in quotes.',
  ),
  date_form: optionalChoice(
    'How CSV writes dates, and those of timestamps, which are in UTC. Default: ISO 8601.',
    ['DD.MM.YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY'],
  ),
  decimal: optionalChoice('`comma`: numbers of CSV have a decimal comma.', ['comma']),
};

const transfer = token(
  'A unique name that the client chooses for this download, of 8 to 64 letters, digits, `-` and `_`, to query its progress at `/transfers/:transfer`.',
);

const parquet = 'application/vnd.apache.parquet';
const dataFormats = ['json', 'csv', 'sql', 'xlsx', 'ndjson', 'parquet'] as const;

const { sort_by, sort_order, search, any, show_deleted } = listParameters;

const workbook = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

function file<const Types extends readonly string[]>(...contentTypes: Types) {
  return { 200: { description: 'The file.', contentTypes } } as const;
}

const structureErrors = [...jobErrors, 'table_not_found'] as const;
/** `unsupported`: for SQL formats, if the database has no scripts or DDL. */
const rowErrors = [...structureErrors, 'invalid_value', 'unsupported'] as const;

/** Schema formats that are pictures. */
const diagramFormats: ReadonlySet<unknown> = new Set(['svg', 'png', 'pdf']);

export function isDiagram(format: unknown): boolean {
  return diagramFormats.has(format);
}

/** Routes that export a file. */
export const exportRoutes = {
  'export-schema': {
    method: 'GET',
    path: '/export/schema',
    summary: 'The structure as a file',
    description:
      '`json` and `yaml` hold all tables, views and enums and import back to the same structure. `sql` is in the dialect of the ' +
      "studio's database, or in `dialect`. `dbml` and `mermaid` are texts for diagram tools; `svg`, `png` and `pdf` " +
      'are the diagram itself. Everything that a format cannot represent, including triggers and routines, is ' +
      'listed in the header `Studio-Warnings`, a percent-encoded JSON array of sentences that is truncated to the ' +
      'size of a header, and in comments if the format supports them.',
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
      references: choice(
        "The foreign keys of the tables: those between them, or `all`, for SQL in the database's own dialect.",
        ['included', 'all'],
      ),
      dialect,
      columns: diagramColumns,
      theme: choice('The color theme of the diagram.', ['light', 'dark']),
      positions: text(
        'Positions of tables in `svg`, `png` and `pdf`, in the coordinates of `GET /diagram`: a JSON object such as `{"users": [120, 40]}`. The other tables are laid out.',
      ),
      hidden: list(
        'Names of tables that `svg`, `png` and `pdf` leave out, separated by commas. The others stay where they are, while `tables` lays out only those that it names.',
      ),
    },
    responses: file(
      'application/json',
      'application/sql',
      'application/yaml',
      'text/plain',
      'image/svg+xml',
      'image/png',
      'application/pdf',
    ),
    errors: [...structureErrors, 'unsupported'],
    startsJob: true,
    access: 'read',
  },
  'export-data': {
    method: 'GET',
    path: '/export/data',
    summary: 'All rows as a file',
    description:
      'The rows of all tables, from one consistent snapshot. If the database does not support snapshots, the ' +
      'response has the header `Studio-Consistency: none`. `json` is one document, `csv` a zip archive with one file ' +
      'per table, `sql` INSERT statements in the order of the foreign keys, `xlsx` one sheet per table, `ndjson` one ' +
      'line per row, `parquet` a zip archive with one file per table. Each but `parquet` can be imported again. Views are included if `tables` names them, except in `sql`. A failure after the first byte closes the connection.',
    query: {
      format: choice('The format of the file.', dataFormats),
      tables,
      dialect,
      formulas,
      ...csvStyle,
      transfer,
    },
    responses: file(
      'application/json',
      'application/zip',
      'application/sql',
      workbook,
      'application/x-ndjson',
    ),
    errors: rowErrors,
    startsJob: true,
    access: 'read',
  },
  'export-dump': {
    method: 'GET',
    path: '/export/dump',
    summary: 'Structure and rows as one SQL file',
    description:
      'A script that creates the tables, their rows and the views in an empty database, by `POST /import/dump` or by the ' +
      "database's own client; in the database's own dialect, on SQLite, PostgreSQL, MySQL and MariaDB, also triggers, rules, functions, " +
      'procedures and events, after the rows where tables and views do not need them. The rows come from one consistent snapshot; if the database does not support snapshots, the ' +
      'response has the header `Studio-Consistency: none`. What the script cannot represent is listed in the header `Studio-Warnings` ' +
      'and in comments. A failure after the first byte closes the connection.',
    query: { tables, dialect, transfer },
    responses: file('application/sql'),
    errors: [...structureErrors, 'unsupported'],
    startsJob: true,
    access: 'read',
    needs: ['ddl', 'script'],
  },
  'export-table': {
    method: 'GET',
    path: '/tables/:table/export',
    summary: 'The rows of a table as a file',
    description:
      'The rows of a table or view, filtered and sorted by the parameters of the row list.',
    query: {
      format: choice('The format of the file.', dataFormats),
      columns: list('Names of the columns to include, separated by commas, in this order.'),
      dialect,
      formulas,
      ...csvStyle,
      transfer,
      sort_by,
      sort_order,
      search,
      any,
      show_deleted,
    },
    takesFilters: true,
    responses: file(
      'application/json',
      'text/csv',
      'application/sql',
      workbook,
      'application/x-ndjson',
      parquet,
    ),
    errors: [...rowErrors, 'unknown_column'],
    startsJob: true,
    access: 'read',
  },
  'export-models': {
    method: 'GET',
    path: '/export/models',
    summary: 'Go structs for GORM',
    description:
      'One Go file with GORM structs that match the tables: AutoMigrate changes nothing in this database.',
    query: {
      tables,
      package: text('The package name. Default: `models`.'),
      nulls: choice('The Go type of nullable columns: a pointer, or a type of database/sql.', [
        'pointer',
        'sql',
      ]),
      json: flag('Adds `json` tags to the fields.'),
    },
    responses: file('text/x-go'),
    errors: structureErrors,
    access: 'read',
    needs: ['ddl', 'gorm'],
  },
} as const satisfies Record<string, Route>;
