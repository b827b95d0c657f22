import { databaseNames } from '../../databases/index.ts';
import { dataFormats } from '../../formats/data-formats.ts';
import { StudioError } from '../../model/errors.ts';
import type { DataFormat } from '../../formats/data-formats.ts';
import type { FormulaGuard } from '../../portable/files/guard-formula.ts';
import type { Dialect } from '../../model/database.ts';

/** The parameters that all exports of rows share, unparsed. */
export interface ExportInput {
  /** A name of `dataFormats`; `json` when absent. */
  readonly format?: string | undefined;
  /** `raw`: does not protect text that a spreadsheet would run as a formula. */
  readonly formulas?: string | undefined;
  /** The dialect of a SQL file. That of the database when absent. */
  readonly dialect?: string | undefined;
}

export interface ExportOptions {
  readonly format: DataFormat;
  readonly formulas: FormulaGuard;
  readonly dialect: Dialect;
}

export async function readExportOptions(own: Dialect, input: ExportInput): Promise<ExportOptions> {
  return {
    format: readFormat(input.format ?? 'json'),
    formulas: readFormulas(input.formulas ?? 'guarded'),
    dialect: await readDialect(own, input.dialect ?? own.name),
  };
}

function readFormat(name: string): DataFormat {
  return (
    new Map<string, DataFormat>(Object.entries(dataFormats)).get(name) ??
    unknownValueError('format', name, Object.keys(dataFormats))
  );
}

function readFormulas(word: string): FormulaGuard {
  return word === 'raw' || word === 'guarded'
    ? word
    : unknownValueError('formulas', word, ['guarded', 'raw']);
}

async function readDialect(own: Dialect, name: string): Promise<Dialect> {
  if (name === own.name) return own;
  const { databaseKinds } = await import('../../databases/all.ts');
  const kind = databaseKinds.find(({ dialect }) => dialect.name === name);
  return kind?.dialect ?? unknownValueError('dialect', name, databaseNames);
}

function unknownValueError(parameter: string, word: string, known: readonly string[]): never {
  throw new StudioError(
    'invalid_parameter',
    `${parameter} is one of ${known.join(', ')}, not ${JSON.stringify(word)}.`,
    { parameter },
  );
}
