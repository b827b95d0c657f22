import type { CallOptions } from '../../../src/contract/client/client.ts';
import type { NewTables } from './new-tables.ts';
import { fillsTables, tablesParameter } from './part-tables.ts';
import type { PartTables } from './part-tables.ts';
import type { Mapping } from './suggest-mapping.ts';

/** The options of an import. */
export interface ImportChoices {
  /** Empty if the file names its tables. */
  readonly table: string;
  /** The tables of the sheets or files. Undefined for a file of one table, or that names its tables itself. */
  readonly parts: PartTables | undefined;
  /** Creates the tables of the rows, instead of adding rows to existing ones. */
  readonly createsTables: boolean;
  /** The user has selected the table, or a new one. */
  readonly isTargetSelected: boolean;
  /** The tables to create, as the user has changed them. Undefined for those that the server infers. */
  readonly newTables: NewTables | undefined;
  readonly mode: 'append' | 'replace';
  readonly onConflict: 'error' | 'skip' | 'update';
  /** The key that identifies existing rows, in the API's format. Empty for the primary key. */
  readonly conflictColumns: string;
  readonly onError: 'abort' | 'skip';
  /** Set for files whose columns are known before the upload. */
  readonly mapping: Mapping | undefined;
  readonly delimiter: string;
  /** The encoding of a CSV file. Empty to detect it. */
  readonly encoding: string;
  /** False if the first row of a CSV file or sheet is not one of names. */
  readonly hasHeader: boolean;
  /** The number of lines or rows before the names of the columns. Empty for none. */
  readonly skipRows: string;
  /** The quote of a CSV file. Empty for a double quote. */
  readonly quote: string;
  /** Empty to detect it. */
  readonly decimal: '' | 'comma' | 'point';
  /** Empty to detect it. */
  readonly dateOrder: '' | 'DMY' | 'MDY' | 'YMD';
  /** More words for true, separated by commas. */
  readonly trueWords: string;
  readonly falseWords: string;
  /** A text that means NULL, besides an empty field. */
  readonly nullText: string;
  /** Ignores white space around texts. */
  readonly trimsTexts: boolean;
  /** Keeps a `'` before a formula as part of the text. Otherwise the import removes it. */
  readonly keepsFormulaApostrophes: boolean;
  readonly sheet: string;
  /** What was chosen for the sheets that were shown before. */
  readonly sheetTargets: ReadonlyMap<string, SheetTarget>;
  readonly dialect: string;
  /** Skips tables that already exist. */
  readonly skipsExisting: boolean;
  /** Skips statements that do not match the kind of import: DDL in data, rows in a schema. */
  readonly skipsOtherStatements: boolean;
  readonly skipsRoutines: boolean;
  /** The structs that are imported as models. Undefined for those that the server finds. */
  readonly structs: readonly string[] | undefined;
  /** The prefix of the names of the models' tables. */
  readonly tablePrefix: string;
  readonly hasSingularTables: boolean;
  /** Pairs `old=new` of texts in Go names, separated by commas. */
  readonly nameReplacements: string;
  /** Relations of models create no foreign keys. */
  readonly skipsForeignKeys: boolean;
}

/** Where the rows of a sheet go. */
export type SheetTarget = Pick<
  ImportChoices,
  'table' | 'parts' | 'createsTables' | 'isTargetSelected' | 'mapping' | 'conflictColumns'
>;

export const defaultChoices: ImportChoices = {
  table: '',
  parts: undefined,
  createsTables: false,
  isTargetSelected: false,
  newTables: undefined,
  mode: 'append',
  onConflict: 'error',
  conflictColumns: '',
  onError: 'abort',
  mapping: undefined,
  delimiter: '',
  encoding: '',
  hasHeader: true,
  skipRows: '',
  quote: '',
  decimal: '',
  dateOrder: '',
  trueWords: '',
  falseWords: '',
  nullText: '',
  trimsTexts: false,
  keepsFormulaApostrophes: false,
  sheet: '',
  sheetTargets: new Map(),
  dialect: '',
  skipsExisting: false,
  skipsOtherStatements: false,
  skipsRoutines: false,
  structs: undefined,
  tablePrefix: '',
  hasSingularTables: false,
  nameReplacements: '',
  skipsForeignKeys: false,
};

type DataQuery = CallOptions<'POST /import/data'>['query'];
type SchemaQuery = CallOptions<'POST /import/schema'>['query'];
type DumpQuery = CallOptions<'POST /import/dump'>['query'];
type ModelsQuery = CallOptions<'POST /import/models'>['query'];

/** For new tables, the options about existing rows and columns are omitted. */
export function dataQuery(choices: ImportChoices): DataQuery {
  const { parts } = choices;
  if (parts !== undefined) return partsQuery(choices, parts);
  if (choices.createsTables)
    return { ...fileQuery(choices), create_table: true, on_error: choices.onError };
  const { table, mapping, dialect } = choices;
  return {
    ...fileQuery(choices),
    ...rowsQuery(choices),
    table: undefinedIfEmpty(table),
    conflict_columns: choices.conflictColumns === '' ? undefined : [choices.conflictColumns],
    mapping: mapping === undefined ? undefined : JSON.stringify(mapping),
    dialect: undefinedIfEmpty(dialect),
    ddl: choices.skipsOtherStatements ? 'skip' : undefined,
  };
}

function partsQuery(choices: ImportChoices, parts: PartTables): DataQuery {
  return {
    ...fileQuery(choices),
    ...(fillsTables(parts) ? rowsQuery(choices) : { on_error: choices.onError }),
    sheet: undefined,
    tables: tablesParameter(parts),
    create_table: choices.createsTables ? true : undefined,
  };
}

function rowsQuery({ mode, onConflict, onError }: ImportChoices): DataQuery {
  return { mode, on_conflict: onConflict, on_error: onError };
}

/** How the file is read. */
function fileQuery(choices: ImportChoices): DataQuery {
  return {
    delimiter: undefinedIfEmpty(choices.delimiter),
    encoding: undefinedIfEmpty(choices.encoding),
    formulas: choices.keepsFormulaApostrophes ? 'raw' : undefined,
    sheet: undefinedIfEmpty(choices.sheet),
    header: choices.hasHeader ? undefined : 'absent',
    skip_rows: skippedRows(choices),
    quote: undefinedIfEmpty(choices.quote),
    decimal: choices.decimal === '' ? undefined : choices.decimal,
    date_order: choices.dateOrder === '' ? undefined : choices.dateOrder,
    true_words: wordsOf(choices.trueWords),
    false_words: wordsOf(choices.falseWords),
    null_text: undefinedIfEmpty(choices.nullText),
    trim: choices.trimsTexts ? true : undefined,
  };
}

/** Undefined for none. */
export function skippedRows({ skipRows }: Pick<ImportChoices, 'skipRows'>): number | undefined {
  const count = /^\d{1,5}$/.test(skipRows.trim()) ? Number(skipRows) : 0;
  return count === 0 ? undefined : count;
}

/** The words of a list that is separated by commas. Undefined if there is none. */
export function wordsOf(list: string): readonly string[] | undefined {
  const words = list
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  return words.length === 0 ? undefined : words;
}

export function schemaQuery({
  dialect,
  skipsExisting,
  skipsOtherStatements,
}: ImportChoices): SchemaQuery {
  return {
    dialect: undefinedIfEmpty(dialect),
    if_exists: skipsExisting ? 'skip' : undefined,
    data: skipsOtherStatements ? 'skip' : undefined,
  };
}

export function dumpQuery(choices: ImportChoices): DumpQuery {
  const { dialect, encoding, dateOrder, skipsRoutines } = choices;
  return {
    dialect: undefinedIfEmpty(dialect),
    encoding: undefinedIfEmpty(encoding),
    date_order: dateOrder === '' ? undefined : dateOrder,
    routines: skipsRoutines ? 'skip' : undefined,
  };
}

export function modelsQuery(choices: ImportChoices): ModelsQuery {
  const { structs, tablePrefix, hasSingularTables, nameReplacements } = choices;
  return {
    structs,
    table_prefix: undefinedIfEmpty(tablePrefix),
    singular_tables: hasSingularTables ? true : undefined,
    replacements: nameReplacements === '' ? undefined : nameReplacements.split(/[\s,]+/),
    foreign_keys: choices.skipsForeignKeys ? 'skip' : undefined,
  };
}

/** The API treats a missing parameter as the default. */
export function undefinedIfEmpty(text: string): string | undefined {
  return text === '' ? undefined : text;
}
