import { StudioError } from '../model/errors.ts';
import { parseExactJson } from '../model/exact-json.ts';
import { didYouMean } from '../model/nearest.ts';
import type { LoadOptions } from '../model/load.ts';
import type { Upload } from './job.ts';

/** Parameters of a data import: from the query, or else from the form's fields of the same names. */
const importParameters = [
  'table',
  'on_conflict',
  'conflict_columns',
  'on_error',
  'mode',
  'mapping',
  'dry_run',
  'dialect',
  'ddl',
  'sheet',
  'formulas',
  'encoding',
  'delimiter',
] as const;

type Parameter = (typeof importParameters)[number];

/** As they come: texts, or what a route has made of them. */
export type ImportDataInput = { readonly upload: Upload } & {
  readonly [name in Parameter]?: string | boolean | readonly string[] | undefined;
};

export interface ImportOptions {
  readonly table: string | undefined;
  readonly onConflict: LoadOptions['onConflict'];
  readonly conflictColumns: readonly string[] | undefined;
  readonly onError: LoadOptions['onError'];
  readonly mode: LoadOptions['mode'];
  readonly dryRun: boolean;
  /** From a file's column to the table's; undefined for what is left out. */
  readonly mapping: ReadonlyMap<string, string | undefined>;
  readonly dialect: string | undefined;
  readonly ddl: 'refuse' | 'skip';
  readonly sheet: string | undefined;
  readonly formulas: 'guarded' | 'raw';
  readonly encoding: string | undefined;
  readonly delimiter: string | undefined;
}

export function readImportOptions(input: ImportDataInput): ImportOptions {
  const { fields } = input.upload;
  mustBeKnown(Object.keys(fields));
  const told = (name: Parameter): string | undefined =>
    oneOf(name, asText(input[name]), fields[name]);
  const among = <T extends string>(name: Parameter, choices: readonly [T, ...T[]]): T => {
    const query = asText(input[name]);
    // A route cannot tell what was left out from what is usual anyway.
    return choice(
      name,
      oneOf(name, query === choices[0] ? undefined : query, fields[name]),
      choices,
    );
  };
  return {
    table: told('table'),
    onConflict: among('on_conflict', ['error', 'skip', 'update']),
    conflictColumns: readColumns(input.conflict_columns, fields['conflict_columns']),
    onError: among('on_error', ['abort', 'skip']),
    mode: among('mode', ['append', 'replace']),
    dryRun: ['true', '1'].includes(among('dry_run', ['false', 'true', '0', '1'])),
    mapping: readMapping(told('mapping')),
    dialect: told('dialect'),
    ddl: among('ddl', ['refuse', 'skip']),
    sheet: told('sheet'),
    formulas: among('formulas', ['guarded', 'raw']),
    encoding: told('encoding'),
    delimiter: readDelimiter(told('delimiter')),
  };
}

function mustBeKnown(names: readonly string[]): void {
  const known: readonly string[] = importParameters;
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw invalid(
    `The form field "${unknown}" means nothing to a data import.${didYouMean(unknown, known)}`,
    unknown,
  );
}

/** An empty text is as good as none. */
function asText(value: ImportDataInput[Parameter]): string | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'object' ? value.join(',') : String(value);
}

function oneOf(
  name: Parameter,
  query: string | undefined,
  field: string | undefined,
): string | undefined {
  const [fromQuery, fromField] = [query, field].map((text) => (text === '' ? undefined : text));
  if (fromQuery !== undefined && fromField !== undefined && fromQuery !== fromField) {
    throw invalid(
      `The query says ${name}=${fromQuery}, the form says ${name}=${fromField}; only one can be meant.`,
      name,
    );
  }
  return fromQuery ?? fromField;
}

function choice<T extends string>(
  name: Parameter,
  text: string | undefined,
  choices: readonly [T, ...T[]],
): T {
  if (text === undefined) return choices[0];
  const chosen = choices.find((candidate) => candidate === text);
  if (chosen !== undefined) return chosen;
  throw invalid(`${name} must be one of ${choices.join(', ')}, not "${text}".`, name);
}

/** Names joined by commas, or a JSON array of them where a name holds a comma. */
function readColumns(
  query: ImportDataInput[Parameter],
  field: string | undefined,
): readonly string[] | undefined {
  if (Array.isArray(query)) return query.length === 0 ? undefined : query.map(String);
  const text = oneOf('conflict_columns', asText(query), field);
  if (text === undefined) return undefined;
  if (!text.startsWith('[')) return text.split(',').map((name) => name.trim());
  const node = parseParameter('conflict_columns', text);
  if (node.kind === 'array' && node.items.every((item) => item.kind === 'string'))
    return node.items.map((item) => item.value);
  throw invalid(
    'conflict_columns must be names joined by commas, or a JSON array of them.',
    'conflict_columns',
  );
}

function readMapping(text: string | undefined): ReadonlyMap<string, string | undefined> {
  if (text === undefined) return new Map();
  const node = parseParameter('mapping', text);
  if (node.kind !== 'object') throw badMapping();
  return new Map(
    node.members.map(({ name, value }) => {
      if (value.kind === 'null') return [name, undefined];
      if (value.kind === 'string') return [name, value.value === '' ? undefined : value.value];
      throw badMapping();
    }),
  );
}

function badMapping(): StudioError {
  return invalid(
    'mapping must be a JSON object from columns of the file to columns of the table, {"Full name":"name"}; null leaves a column out.',
    'mapping',
  );
}

function parseParameter(name: Parameter, text: string): ReturnType<typeof parseExactJson> {
  try {
    return parseExactJson(text, 'invalid_parameter');
  } catch (error) {
    if (error instanceof StudioError) throw invalid(`${name}: ${error.message}`, name);
    throw error;
  }
}

const namedDelimiters: Readonly<Record<string, string>> = {
  tab: '\t',
  '\\t': '\t',
  comma: ',',
  semicolon: ';',
  pipe: '|',
};

function readDelimiter(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const delimiter = Object.hasOwn(namedDelimiters, text) ? namedDelimiters[text]! : text;
  if (/^[^"\r\n\u0080-\uffff]$/.test(delimiter)) return delimiter;
  throw invalid(
    'delimiter must be one character of ASCII, or tab, comma, semicolon, pipe.',
    'delimiter',
  );
}

function invalid(message: string, parameter: string): StudioError {
  return new StudioError('invalid_parameter', message, { parameter });
}
