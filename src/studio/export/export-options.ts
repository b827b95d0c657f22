import { databaseNames } from '../../databases/index.ts';
import { dataFormats } from '../../formats/data-formats.ts';
import { StudioError } from '../../model/errors.ts';
import type { DataFormat } from '../../formats/data-formats.ts';
import type { FormulaGuard } from '../../formats/guard-formula.ts';
import type { Dialect } from '../../model/database.ts';

/** The parameters that exports of rows share, as they come. */
export interface ExportInput {
  /** A name of `dataFormats`; `json` when absent. */
  readonly format?: string | undefined;
  /** `raw`: text that a spreadsheet would run stays as it is. */
  readonly formulas?: string | undefined;
  /** A database's name, to write SQL for it; the studio's own when absent. */
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
