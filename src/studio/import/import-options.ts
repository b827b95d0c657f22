import { StudioError } from '../../model/errors.ts';
import { parseExactJson } from '../../model/values/exact-json.ts';
import { invalidParameter, uploadParameters } from './upload-parameters.ts';
import type { LoadOptions } from '../../model/load.ts';
import type { ExecutedStatement } from '../../sql/ddl/ddl-reader.ts';
import type { CellFormat, FormatName } from '../../portable/cells/cell-format.ts';
import type { Upload } from '../core/job.ts';

/** Parameters of a data import, from the query or from form fields of the same names. */
export const importParameters = [
  'table',
  'tables',
  'on_conflict',
  'conflict_columns',
  'on_error',
  'mode',
  'mapping',
  'dry_run',
  'create_table',
  'schema',
  'header',
  'skip_rows',
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
  'keep_rejected',
] as const;

type Parameter = (typeof importParameters)[number];

/** The parameters as texts, or as parsed by the route. */
export type ImportDataInput = {
  readonly upload: Upload;
  /** Where `keep_rejected` writes the rejected rows. Not a parameter of requests: it names a file of this machine. */
  readonly rejectedTo?: RejectedTarget | undefined;
} & {
  readonly [name in Parameter]?: string | number | boolean | readonly string[] | undefined;
};

export interface RejectedTarget {
  readonly path: string;
  readonly maxBytes?: number;
}

export type NameMapping = ReadonlyMap<string, string | undefined>;

export interface ImportOptions extends CellFormat {
  readonly table: string | undefined;
  /** From sheets, or files of an archive, to tables. Undefined for those to leave out. */
  readonly tables: NameMapping | undefined;
  readonly onConflict: LoadOptions['onConflict'];
  readonly conflictColumns: readonly string[] | undefined;
  readonly onError: LoadOptions['onError'];
  readonly mode: LoadOptions['mode'];
  readonly dryRun: boolean;
  readonly createTable: boolean;
  /** The tables to create, as JSON. Inferred from the rows when absent. */
  readonly schema: string | undefined;
  /** From columns of the file to columns of the table. Undefined for columns to skip. */
  readonly mapping: NameMapping;
  readonly dialect: string | undefined;
  /** `applied`: the import has created what the file defines. */
  readonly ddl: 'refuse' | 'skip' | 'applied';
  /** What a dump runs within other statements. */
  readonly executed?: readonly ExecutedStatement[] | undefined;
  readonly sheet: string | undefined;
  readonly header: 'present' | 'absent';
  /** The number of lines or rows before the names of the columns. */
  readonly skipRows: number;
  readonly quote: string | undefined;
  readonly encoding: string | undefined;
  readonly delimiter: string | undefined;
  /** Writes the rows that were skipped for an error to a file. */
  readonly keepRejected: boolean;
}

export function readImportOptions(input: ImportDataInput): ImportOptions {
  const read = readOptions(input);
  const options = { ...read, ofAnyText: requestedFormats(read) };
  const { delimiter, quote } = options;
  mustBeOneTarget(options);
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
    skipRows: readSkippedRows(text('skip_rows')),
    quote: readCharacter('quote', text('quote')),
    decimal: optional('decimal', ['comma', 'point']),
    dateOrder: optional('date_order', ['DMY', 'MDY', 'YMD']),
    trueWords: readNames('true_words', input.true_words, () => text('true_words')),
    falseWords: readNames('false_words', input.false_words, () => text('false_words')),
    nullText: text('null_text'),
    trim: flag('trim'),
    mapping: readMapping('mapping', text('mapping')) ?? new Map(),
    tables: readMapping('tables', text('tables')),
    dialect: text('dialect'),
    ddl: choice('ddl', ['refuse', 'skip']),
    sheet: text('sheet'),
    formulas: choice('formulas', ['guarded', 'raw']),
    encoding: text('encoding'),
    delimiter: readCharacter('delimiter', text('delimiter')),
    keepRejected: flag('keep_rejected'),
  };
}

const maxSkippedRows = 10_000;

/** A form field is a text that the contract has not checked. */
function readSkippedRows(text = '0'): number {
  if (/^-?\d+$/.test(text)) return Math.min(maxSkippedRows, Math.max(0, Number(text)));
  throw invalidParameter(`skip_rows must be an integer, not "${text}".`, 'skip_rows');
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

type MappingName = 'mapping' | 'tables';

/** A JSON object, or pairs such as `from=to,other=`. */
function readMapping(name: MappingName, text: string | undefined): NameMapping | undefined {
  if (text === undefined) return undefined;
  const node = text.trimStart().startsWith('{') ? parseParameter(name, text) : undefined;
  if (node === undefined) return new Map(text.split(',').map((pair) => readPair(name, pair)));
  if (node.kind !== 'object') throw invalidMapping(name);
  return new Map(
    node.members.map(({ name: from, value }) => {
      if (value.kind === 'null') return [from, undefined];
      if (value.kind === 'string') return [from, value.value === '' ? undefined : value.value];
      throw invalidMapping(name);
    }),
  );
}

function readPair(name: MappingName, pair: string): readonly [string, string | undefined] {
  const at = pair.indexOf('=');
  if (at < 1) throw invalidMapping(name);
  const to = pair.slice(at + 1).trim();
  return [pair.slice(0, at).trim(), to === '' ? undefined : to];
}

const mappingRules: Readonly<Record<MappingName, string>> = {
  mapping:
    'from columns of the file to columns of the table, such as {"Full name":"name"}; null skips a column',
  tables:
    'from sheets of the workbook, files of the archive or arrays of the JSON document to tables, such as {"Sheet1":"people"}; null leaves one out',
};

function invalidMapping(name: MappingName): StudioError {
  return invalidParameter(`${name} must be a JSON object ${mappingRules[name]}.`, name);
}

function mustBeOneTarget({ table, tables, sheet, mode, createTable }: ImportOptions): void {
  if (tables === undefined) return;
  if (table !== undefined || sheet !== undefined)
    throw invalidParameter(
      'tables names the table of each sheet, file or array; leave table and sheet out.',
      'tables',
    );
  if (mode === 'replace' && createTable)
    throw invalidParameter(
      'mode=replace cannot be combined with create_table and tables. Import into the new tables by themselves.',
      'mode',
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
