/** The commands, as data. What runs each of them is in main.ts. */
import { routes } from '../contract/routes.ts';
import type { QueryParameters } from '../contract/parameter.ts';
import type { Route } from '../contract/route.ts';
import type { RouteId } from '../contract/routes.ts';

export interface Command {
  /** Whether the database's URL must be given: as an argument or by DATABASE_URL. */
  readonly url: 'optional' | 'required';
  readonly summary: string;
  /** What follows the URL. */
  readonly operand?: Operand;
  /** The route that does the same: its query's parameters are flags of the command. */
  readonly route?: RouteId;
}

interface Operand {
  readonly name: string;
  /** One or more. */
  readonly repeated?: true;
}

const file: Operand = { name: 'FILE', repeated: true };

export const commandTable = {
  serve: {
    url: 'optional',
    summary: 'Serve the studio and its HTTP API. The default; without a URL, a demo database.',
  },
  schema: {
    url: 'required',
    summary: 'Print the structure of the database as JSON, as GET /studio/api/schema answers it.',
  },
  'export schema': {
    url: 'required',
    summary: 'Write the structure to a file: SQL, JSON, YAML, DBML, Mermaid, or a diagram.',
    route: 'export-schema',
  },
  'export data': {
    url: 'required',
    summary: 'Write all rows to a file: JSON, CSV (a zip), SQL, XLSX or NDJSON.',
    route: 'export-data',
  },
  'export table': {
    url: 'required',
    operand: { name: 'TABLE' },
    summary: 'Write the rows of one table to a file.',
    route: 'export-table',
  },
  'export models': {
    url: 'required',
    summary: 'Write Go structs for GORM that match the tables.',
    route: 'export-models',
  },
  'import schema': {
    url: 'required',
    operand: { name: 'FILE' },
    summary: 'Make the tables of a .sql, .json, .yaml or .dbml file.',
    route: 'import-schema',
  },
  'import data': {
    url: 'required',
    operand: { name: 'FILE' },
    summary: 'Fill tables from a .json, .ndjson, .csv, .zip, .sql or .xlsx file.',
    route: 'import-data',
  },
  'import models': {
    url: 'required',
    operand: file,
    summary: 'Make the tables of .go files or folders with GORM models.',
    route: 'import-models',
  },
  sql: {
    url: 'required',
    operand: { name: 'QUERY' },
    summary: 'Run one statement; - reads it from the input.',
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

/** The command that the first words name, and how many of them. */
export function findCommand(
  words: readonly string[],
): { name: CommandName; words: number } | undefined {
  for (const count of [2, 1]) {
    const name = words.slice(0, count).join(' ');
    if (words.length >= count && isCommandName(name)) return { name, words: count };
  }
  return undefined;
}

/** `serve [URL]`, `schema URL`: how a command is written. */
export function commandSyntax(name: CommandName): string {
  const { url, operand } = commandOf(name);
  const ending = operand === undefined ? '' : ` ${operand.name}${operand.repeated ? '...' : ''}`;
  return `${name} ${url === 'required' ? 'URL' : '[URL]'}${ending}`;
}

/** The parameters of the command's route, by flag: `on-conflict` for `on_conflict`. */
export function parametersOf(name: CommandName): QueryParameters {
  const { route } = commandOf(name);
  if (route === undefined) return {};
  const { query }: Route = routes[route];
  return Object.fromEntries(
    Object.entries(query)
      .filter(([, { isForBrowsers }]) => isForBrowsers !== true)
      .map(([wireName, parameter]) => [wireName.replaceAll('_', '-'), parameter]),
  );
}
