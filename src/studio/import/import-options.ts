import { StudioError } from '../../model/errors.ts';
import { parseExactJson } from '../../model/values/exact-json.ts';
import { invalidParameter, uploadParameters } from './upload-parameters.ts';
import type { LoadOptions } from '../../model/load.ts';
import type { CellFormat, FormatName } from '../../portable/cells/cell-format.ts';
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
  'header',
  'quote',
  'decimal',
  'date_order',
  'true_words',
  'false_words',
  'null_text',
  'trim',
  'dialect',
  'ddl',
  'sheet',
  'formulas',
  'encoding',
  'delimiter',
] as const;

type Parameter = (typeof importParameters)[number];

/** The parameters as texts, or as parsed by the route. */
export type ImportDataInput = {
  readonly upload: Upload;
  /** Where to write the rejected rows. Not a parameter of requests: it names a file of this machine. */
  readonly rejectedPath?: string | undefined;
} & {
  readonly [name in Parameter]?: string | boolean | readonly string[] | undefined;
};

export interface ImportOptions extends CellFormat {
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
  readonly header: 'present' | 'absent';
  readonly quote: string | undefined;
  readonly encoding: string | undefined;
  readonly delimiter: string | undefined;
}

export function readImportOptions(input: ImportDataInput): ImportOptions {
  const read = readOptions(input);
  const options = { ...read, ofAnyText: requestedFormats(read) };
  const { delimiter, quote } = options;
  if (quote === undefined || quote !== delimiter) return options;
  throw invalidParameter('quote must be another character than delimiter.', 'quote');
}

function readOptions(input: ImportDataInput): ImportOptions {
  const { text, choice, flag } = uploadParameters(input, importParameters);
  const optional = <T extends string>(name: Parameter, choices: readonly [T, ...T[]]) =>
    text(name) === undefined ? undefined : choice(name, choices);
  return {
    table: text('table'),
    onConflict: choice('on_conflict', ['error', 'skip', 'update']),
    conflictColumns: readNames('conflict_columns', input.conflict_columns, () =>
      text('conflict_columns'),
    ),
    onError: choice('on_error', ['abort', 'skip']),
    mode: choice('mode', ['append', 'replace']),
    dryRun: flag('dry_run'),
    createTable: flag('create_table'),
    schema: text('schema'),
    header: choice('header', ['present', 'absent']),
    quote: readCharacter('quote', text('quote')),
    decimal: optional('decimal', ['comma', 'point']),
    dateOrder: optional('date_order', ['DMY', 'MDY', 'YMD']),
    trueWords: readNames('true_words', input.true_words, () => text('true_words')),
    falseWords: readNames('false_words', input.false_words, () => text('false_words')),
    nullText: text('null_text'),
    trim: flag('trim'),
    mapping: readMapping(text('mapping')),
    dialect: text('dialect'),
    ddl: choice('ddl', ['refuse', 'skip']),
    sheet: text('sheet'),
    formulas: choice('formulas', ['guarded', 'raw']),
    encoding: text('encoding'),
    delimiter: readCharacter('delimiter', text('delimiter')),
  };
}

/** The formats that the request names. */
function requestedFormats(options: CellFormat): ReadonlySet<FormatName> {
  const { decimal, dateOrder, trueWords, falseWords } = options;
  const names = new Set<FormatName>();
  if (decimal !== undefined) names.add('numbers');
  if (dateOrder !== undefined) names.add('dates');
  if (trueWords !== undefined || falseWords !== undefined) names.add('words');
  return names;
}

export function missingTableError(): StudioError {
  return invalidParameter(
    'The file does not name the table of its rows. Name it with the parameter "table".',
    'table',
  );
}

/** Names separated by commas, or a JSON array for names that contain a comma. */
function readNames(
  name: Parameter,
  /** A list if the route has parsed it. */
  query: ImportDataInput[Parameter],
  readText: () => string | undefined,
): readonly string[] | undefined {
  const text = readText();
  if (Array.isArray(query)) return query.length === 0 ? undefined : query.map(String);
  if (text === undefined) return undefined;
  if (!text.startsWith('[')) return text.split(',').map((each) => each.trim());
  const node = parseParameter(name, text);
  if (node.kind === 'array' && node.items.every((item) => item.kind === 'string'))
    return node.items.map((item) => item.value);
  throw invalidParameter(
    `${name} must be names separated by commas, or a JSON array of names.`,
    name,
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

function readCharacter(name: 'delimiter' | 'quote', text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const delimiter = Object.hasOwn(namedDelimiters, text) ? namedDelimiters[text]! : text;
  const isCharacter = /^[^\r\n\u0080-\uffff]$/.test(delimiter);
  if (isCharacter && (name === 'quote' || delimiter !== '"')) return delimiter;
  throw invalidParameter(
    `${name} must be one ASCII character, or tab, comma, semicolon or pipe.`,
    name,
  );
}
