import { StudioError } from '../../../src/model/errors.ts';

/** An error at a position in a file, as the API reports it. */
export interface RowError {
  readonly code: string;
  readonly message: string;
  readonly table?: string | undefined;
  readonly row?: number | undefined;
  readonly line?: number | undefined;
  readonly column?: string | undefined;
}

export function rowErrorsOf(error: unknown): readonly RowError[] {
  const errors = error instanceof StudioError ? error.details['errors'] : undefined;
  return Array.isArray(errors) ? (errors as RowError[]) : [];
}

/** Formats errors as CSV. */
export function errorsAsCsv(errors: readonly RowError[]): string {
  const lines = errors.map(({ table, row, line, column, code, message }) =>
    [table, row, line, column, code, message].map((field) => quoted(String(field ?? ''))).join(','),
  );
  return ['table,row,line,column,code,message', ...lines, ''].join('\r\n');
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
