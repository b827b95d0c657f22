import type { CallOptions } from '../../../src/contract/client.ts';
import type { Mapping } from './suggest-mapping.ts';

/** What a person decides of an import. */
export interface ImportChoices {
  /** Empty: the file says it. */
  readonly table: string;
  readonly mode: 'append' | 'replace';
  readonly onConflict: 'error' | 'skip' | 'update';
  /** The key that decides whether a row exists, as the API takes it; empty: the primary key. */
  readonly conflictColumns: string;
  readonly onError: 'abort' | 'skip';
  /** Of a file whose columns are known before it is sent. */
  readonly mapping: Mapping | undefined;
  readonly delimiter: string;
  /** Of a CSV file; empty: found out. */
  readonly encoding: string;
  /** A `'` before what a spreadsheet would run is the file's own, not a guard that is taken off. */
  readonly keepsGuards: boolean;
  readonly sheet: string;
  readonly dialect: string;
  /** Tables that are there already are left alone. */
  readonly skipsExisting: boolean;
  /** Statements for something else than what is imported are left out. */
  readonly skipsOther: boolean;
}

export const usualChoices: ImportChoices = {
  table: '',
  mode: 'append',
  onConflict: 'error',
  conflictColumns: '',
  onError: 'abort',
  mapping: undefined,
  delimiter: '',
  encoding: '',
  keepsGuards: false,
  sheet: '',
  dialect: '',
  skipsExisting: false,
  skipsOther: false,
};

type DataQuery = CallOptions<'POST /import/data'>['query'];
type SchemaQuery = CallOptions<'POST /import/schema'>['query'];

export function dataQuery(choices: ImportChoices): DataQuery {
  const { table, mode, onConflict, onError, mapping, delimiter, sheet, dialect } = choices;
  return {
    table: told(table),
    mode,
    on_conflict: onConflict,
    conflict_columns: choices.conflictColumns === '' ? undefined : [choices.conflictColumns],
    on_error: onError,
    mapping: mapping === undefined ? undefined : JSON.stringify(mapping),
    delimiter: told(delimiter),
    encoding: told(choices.encoding),
    formulas: choices.keepsGuards ? 'raw' : undefined,
    sheet: told(sheet),
    dialect: told(dialect),
    ddl: choices.skipsOther ? 'skip' : undefined,
  };
}

export function schemaQuery({ dialect, skipsExisting, skipsOther }: ImportChoices): SchemaQuery {
  return {
    dialect: told(dialect),
    if_exists: skipsExisting ? 'skip' : undefined,
    data: skipsOther ? 'skip' : undefined,
  };
}

function told(text: string): string | undefined {
  return text === '' ? undefined : text;
}
