import { StudioError } from '../../../src/model/errors.ts';

/** What is wrong with a place of a file, as the API tells it. */
export interface RowError {
  readonly code: string;
  readonly message: string;
  readonly table?: string | undefined;
  readonly row?: number | undefined;
  readonly line?: number | undefined;
  readonly column?: string | undefined;
}

export function rowErrorsOf(error: unknown): readonly RowError[] {
  const told = error instanceof StudioError ? error.details['errors'] : undefined;
  return Array.isArray(told) ? (told as RowError[]) : [];
}

/** A table that a spreadsheet opens. */
export function errorsAsCsv(errors: readonly RowError[]): string {
  const lines = errors.map(({ table, row, line, column, code, message }) =>
    [table, row, line, column, code, message].map((field) => quoted(String(field ?? ''))).join(','),
  );
  return ['table,row,line,column,code,message', ...lines, ''].join('\r\n');
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
