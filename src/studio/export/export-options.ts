import { hasDatabaseStyle } from '../../formats/csv/write-rows.ts';
import { dateForms } from '../../formats/csv/local-cells.ts';
import { exportFormats } from '../../formats/data-formats.ts';
import { StudioError } from '../../model/errors.ts';
import { mustSupport } from '../core/capabilities.ts';
import type { DataFormat, WriteOptions } from '../../formats/data-formats.ts';
import type { FormulaGuard } from '../../portable/files/guard-formula.ts';
import type { Dialect } from '../../model/database.ts';

/** The parameters that all exports of rows share, unparsed. */
export interface ExportInput {
  /** A name of `exportFormats`; `json` when absent. */
  readonly format?: string | undefined;
  /** `raw`: does not protect text that a spreadsheet would run as a formula. */
  readonly formulas?: string | undefined;
  /** The field delimiter of CSV, by its name. A comma when absent. */
  readonly delimiter?: string | undefined;
  /** Whether CSV begins with a byte order mark. */
  readonly bom?: boolean | undefined;
  /** The text of NULL in CSV. Empty when absent. */
  readonly null_text?: string | undefined;
  /** How CSV writes dates; ISO 8601 when absent. */
  readonly date_form?: string | undefined;
  /** `comma`: numbers of CSV have a decimal comma. */
  readonly decimal?: string | undefined;
  /** The dialect of a SQL file. That of the database when absent. */
  readonly dialect?: string | undefined;
}

export interface ExportOptions {
  readonly format: DataFormat;
  readonly formulas: FormulaGuard;
  readonly csv: WriteOptions['csv'];
  /** Undefined unless the database may write the lines of CSV itself: which cells it guards. */
  readonly databaseCsv: FormulaGuard | undefined;
  readonly dialect: Dialect;
}

export async function readExportOptions(
  databaseDialect: Dialect,
  input: ExportInput,
): Promise<ExportOptions> {
  const format = readFormat(input.format ?? 'json');
  const formulas = readFormulas(input.formulas ?? 'guarded');
  const dialect = await readDialect(databaseDialect, input.dialect ?? databaseDialect.name);
  if (format.isScript) mustSupport(dialect, 'script');
  const csv = readCsvStyle(input);
  const isDatabaseCsv = format.acceptsDatabaseCsv && hasDatabaseStyle({ formulas, ...csv });
  return { format, formulas, csv, databaseCsv: isDatabaseCsv ? formulas : undefined, dialect };
}

const delimiters = new Map([
  ['comma', ','],
  ['semicolon', ';'],
  ['tab', '\t'],
  ['pipe', '|'],
]);

function readCsvStyle(input: ExportInput): WriteOptions['csv'] {
  const { delimiter = 'comma', bom = false, null_text: nullText, date_form, decimal } = input;
  const character =
    delimiters.get(delimiter) ?? rejectValue('delimiter', delimiter, [...delimiters.keys()]);
  if (nullText?.includes(character) === true || /["\r\n]/.test(nullText ?? ''))
    throw new StudioError(
      'invalid_parameter',
      'null_text must not contain the field delimiter, a quote or a line break.',
      { parameter: 'null_text' },
    );
  if (decimal !== undefined && decimal !== 'comma') rejectValue('decimal', decimal, ['comma']);
  const dateForm = dateForms.find((form) => form === date_form);
  if (date_form !== dateForm) rejectValue('date_form', date_form ?? '', dateForms);
  return { delimiter: character, hasByteOrderMark: bom, nullText, dateForm, decimal };
}

function readFormat(name: string): DataFormat {
  return (
    new Map<string, DataFormat>(Object.entries(exportFormats)).get(name) ??
    rejectValue('format', name, Object.keys(exportFormats))
  );
}

function readFormulas(value: string): FormulaGuard {
  return value === 'raw' || value === 'guarded'
    ? value
    : rejectValue('formulas', value, ['guarded', 'raw']);
}

async function readDialect(databaseDialect: Dialect, name: string): Promise<Dialect> {
  if (name === databaseDialect.name) return databaseDialect;
  const { kindsWith } = await import('../../databases/all.ts');
  const dialects = kindsWith('script').map(({ dialect }) => dialect);
  return (
    dialects.find((dialect) => dialect.name === name) ??
    rejectValue(
      'dialect',
      name,
      dialects.map((dialect) => dialect.name),
    )
  );
}

function rejectValue(parameter: string, value: string, validValues: readonly string[]): never {
  throw new StudioError(
    'invalid_parameter',
    `${parameter} is one of ${validValues.join(', ')}, not ${JSON.stringify(value)}.`,
    { parameter },
  );
}
