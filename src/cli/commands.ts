/** The table of commands. main.ts maps each one to its implementation. */
import { routes } from '../contract/routes.ts';
import type { QueryParameters } from '../contract/parameter.ts';
import type { Route } from '../contract/route.ts';
import type { RouteId } from '../contract/routes.ts';

export interface Command {
  /** Whether the command needs a database URL, as an argument or in DATABASE_URL. */
  readonly url: 'optional' | 'required';
  readonly summary: string;
  /** The arguments of a typical call, for the help text. */
  readonly example: string;
  /** The argument after the URL. */
  readonly operand?: Operand;
  /** The corresponding route. Its query parameters are the command's flags. */
  readonly route?: RouteId;
}

interface Operand {
  readonly name: string;
  /** Accepts one or more arguments. */
  readonly repeated?: true;
}

export const commandTable = {
  serve: {
    url: 'optional',
    summary:
      'Serve the studio and its HTTP API. The default; without a URL, the database of this folder, or a demo.',
    example: './shop.db --open',
  },
  schema: {
    url: 'required',
    summary:
      'Print the tables with their columns, keys and indexes, or as JSON the response of GET /studio/api/schema.',
    example: 'schema ./shop.db',
  },
  tables: {
    url: 'required',
    summary: 'List tables and views with their row counts.',
    example: 'tables ./shop.db',
  },
  rows: {
    url: 'required',
    operand: { name: 'TABLE' },
    summary: 'Print rows of a table or view, like GET /studio/api/tables/TABLE/rows.',
    example: 'rows ./shop.db users --filter role=admin --sort-by name',
    route: 'list-rows',
  },
  'export schema': {
    url: 'required',
    summary: 'Write the structure to a file: SQL, JSON, YAML, DBML, Mermaid, or a diagram.',
    example: 'export schema ./shop.db --format dbml --out shop.dbml',
    route: 'export-schema',
  },
  'export data': {
    url: 'required',
    summary: 'Write all rows to a file: JSON, CSV (a zip), SQL, XLSX, NDJSON or Parquet.',
    example: 'export data ./shop.db --format xlsx --out shop.xlsx',
    route: 'export-data',
  },
  'export dump': {
    url: 'required',
    summary: 'Write structure and rows to one SQL file.',
    example: 'export dump ./shop.db --out shop.sql',
    route: 'export-dump',
  },
  'export table': {
    url: 'required',
    operand: { name: 'TABLE' },
    summary: 'Write the rows of one table to a file.',
    example: 'export table ./shop.db users --format csv --out users.csv',
    route: 'export-table',
  },
  'export models': {
    url: 'required',
    summary: 'Write Go structs for GORM that match the tables.',
    example: 'export models ./shop.db --out models.go',
    route: 'export-models',
  },
  'import schema': {
    url: 'required',
    operand: { name: 'FILE' },
    summary: 'Create the tables of a .sql, .json, .yaml or .dbml file.',
    example: 'import schema ./new.db shop.sql --create',
    route: 'import-schema',
  },
  'import dump': {
    url: 'required',
    operand: { name: 'FILE' },
    summary:
      'Create the tables of a .sql file and import its rows, also those of other files in a .zip.',
    example: 'import dump ./new.db shop.sql --create',
    route: 'import-dump',
  },
  'import data': {
    url: 'required',
    operand: { name: 'FILE' },
    summary: 'Import rows from a .json, .ndjson, .csv, .zip, .sql or .xlsx file.',
    example: 'import data ./shop.db users.csv --table users --dry-run',
    route: 'import-data',
  },
  'import models': {
    url: 'required',
    operand: { name: 'FILE', repeated: true },
    summary: 'Create the tables of .go files or folders with GORM models.',
    example: 'import models ./shop.db ./models --dry-run',
    route: 'import-models',
  },
  sql: {
    url: 'required',
    operand: { name: 'QUERY' },
    summary: 'Run one statement; - reads it from stdin.',
    example: "sql ./shop.db 'SELECT * FROM users WHERE id = ?' --param 7",
  },
  mcp: {
    url: 'required',
    summary: 'Serve agents by the Model Context Protocol, over stdin and stdout or HTTP.',
    example: "mcp ./shop.db --mask '*password*'",
  },
} as const satisfies Record<string, Command>;

export type CommandName = keyof typeof commandTable;

export const commandNames = Object.keys(commandTable) as readonly CommandName[];

export const defaultCommand: CommandName = 'serve';

export function commandOf(name: CommandName): Command {
  return commandTable[name];
}

function isCommandName(words: string | undefined): words is CommandName {
  return words !== undefined && Object.hasOwn(commandTable, words);
}

/** Returns the command that the first arguments name, and the number of arguments that name it. */
export function findCommand(
  words: readonly string[],
): { name: CommandName; words: number } | undefined {
  for (const count of [2, 1]) {
    const name = words.slice(0, count).join(' ');
    if (words.length >= count && isCommandName(name)) return { name, words: count };
  }
  return undefined;
}

/** Returns the syntax of a command, such as `serve [URL]` or `schema URL`. */
export function commandSyntax(name: CommandName): string {
  const { url, operand } = commandOf(name);
  const operandText =
    operand === undefined ? '' : ` ${operand.name}${operand.repeated ? '...' : ''}`;
  return `${name} ${url === 'required' ? 'URL' : '[URL]'}${operandText}`;
}

/** Returns the query parameters of the command's route by flag, such as `on-conflict` for `on_conflict`. */
export function parametersOf(name: CommandName): QueryParameters {
  const { route } = commandOf(name);
  if (route === undefined) return {};
  const { query }: Route = routes[route];
  return Object.fromEntries(
    Object.entries(query)
      .filter(([, { isHttpOnly }]) => isHttpOnly !== true)
      .map(([wireName, parameter]) => [wireName.replaceAll('_', '-'), parameter]),
  );
}
