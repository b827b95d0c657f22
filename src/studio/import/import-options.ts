import { StudioError } from '../../model/errors.ts';
import { parseExactJson } from '../../model/exact-json.ts';
import { invalidParameter, uploadParameters } from './upload-parameters.ts';
import type { LoadOptions } from '../../model/load.ts';
import type { Upload } from '../core/job.ts';

/** Parameters of a data import, from the query or from form fields of the same names. */
const importParameters = [
  'table',
  'on_conflict',
  'conflict_columns',
  'on_error',
  'mode',
  'mapping',
  'dry_run',
  'create_table',
  'schema',
  'dialect',
  'ddl',
  'sheet',
  'formulas',
  'encoding',
  'delimiter',
] as const;

type Parameter = (typeof importParameters)[number];

/** The parameters as texts, or as parsed by the route. */
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
  readonly createTable: boolean;
  /** The tables to create, as JSON. Inferred from the rows when absent. */
  readonly schema: string | undefined;
  /** From columns of the file to columns of the table. Undefined for columns to skip. */
  readonly mapping: ReadonlyMap<string, string | undefined>;
  readonly dialect: string | undefined;
  readonly ddl: 'refuse' | 'skip';
  readonly sheet: string | undefined;
  readonly formulas: 'guarded' | 'raw';
  readonly encoding: string | undefined;
  readonly delimiter: string | undefined;
}

export function readImportOptions(input: ImportDataInput): ImportOptions {
  const { text, choice, flag } = uploadParameters(input, importParameters);
  return {
    table: text('table'),
    onConflict: choice('on_conflict', ['error', 'skip', 'update']),
    conflictColumns: readColumns(input.conflict_columns, () => text('conflict_columns')),
    onError: choice('on_error', ['abort', 'skip']),
    mode: choice('mode', ['append', 'replace']),
    dryRun: flag('dry_run'),
    createTable: flag('create_table'),
    schema: text('schema'),
    mapping: readMapping(text('mapping')),
    dialect: text('dialect'),
    ddl: choice('ddl', ['refuse', 'skip']),
    sheet: text('sheet'),
    formulas: choice('formulas', ['guarded', 'raw']),
    encoding: text('encoding'),
    delimiter: readDelimiter(text('delimiter')),
  };
}

export function missingTableError(): StudioError {
  return invalidParameter(
    'The file does not name the table of its rows. Name it with the parameter "table".',
    'table',
  );
}

/** Names separated by commas, or a JSON array for names that contain a comma. */
function readColumns(
  /** A list if the route has parsed it. */
  query: ImportDataInput[Parameter],
  readText: () => string | undefined,
): readonly string[] | undefined {
  const text = readText();
  if (Array.isArray(query)) return query.length === 0 ? undefined : query.map(String);
  if (text === undefined) return undefined;
  if (!text.startsWith('[')) return text.split(',').map((name) => name.trim());
  const node = parseParameter('conflict_columns', text);
  if (node.kind === 'array' && node.items.every((item) => item.kind === 'string'))
    return node.items.map((item) => item.value);
  throw invalidParameter(
    'conflict_columns must be names separated by commas, or a JSON array of names.',
    'conflict_columns',
  );
}

function readMapping(text: string | undefined): ReadonlyMap<string, string | undefined> {
  if (text === undefined) return new Map();
  const node = parseParameter('mapping', text);
  if (node.kind !== 'object') throw invalidMapping();
  return new Map(
    node.members.map(({ name, value }) => {
      if (value.kind === 'null') return [name, undefined];
      if (value.kind === 'string') return [name, value.value === '' ? undefined : value.value];
      throw invalidMapping();
    }),
  );
}

function invalidMapping(): StudioError {
  return invalidParameter(
    'mapping must be a JSON object from columns of the file to columns of the table, such as {"Full name":"name"}; null skips a column.',
    'mapping',
  );
}

function parseParameter(name: Parameter, text: string): ReturnType<typeof parseExactJson> {
  try {
    return parseExactJson(text, 'invalid_parameter');
  } catch (error) {
    if (error instanceof StudioError) throw invalidParameter(`${name}: ${error.message}`, name);
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
  throw invalidParameter(
    'delimiter must be one ASCII character, or tab, comma, semicolon or pipe.',
    'delimiter',
  );
}
