import { StudioError } from '../../model/errors.ts';
import type { Dialect } from '../../model/database.ts';
import type { Table } from '../../model/schema.ts';

/** The error of a relation without known columns: a view whose tables do not exist, or a virtual table without its module. */
export function unreadableTableError({ name, comment, incomplete }: Table): StudioError {
  if (incomplete !== undefined)
    return new StudioError('database_busy', `"${name}" cannot be read. ${incomplete}`, {
      table: name,
    });
  const reason = comment ?? 'It has no columns that the studio can read.';
  return new StudioError('table_unreadable', `"${name}" cannot be read. ${reason}`, {
    table: name,
  });
}

/**
 * The error of a table or view that could not be read. The studio generated the whole statement, so a
 * database error about the statement is an error of the table. Codes that tell what to do (permission,
 * lock, time limit) stay.
 */
export function readError(dialect: Dialect, table: Table, error: unknown): StudioError {
  const { name } = table;
  if (error instanceof StudioError) {
    // An error that names a parameter is about the request.
    if (error.details['parameter'] !== undefined) return error;
    const code = statementErrors.has(error.code) ? 'table_unreadable' : error.code;
    return new StudioError(code, sentence(name, error.message), { ...error.details, table: name });
  }
  const message = dialect.messageOf(error);
  return message === undefined
    ? new StudioError('internal', sentence(name, 'The studio failed.'), { table: name })
    : new StudioError('table_unreadable', sentence(name, asSentence(message)), { table: name });
}

const statementErrors: ReadonlySet<string> = new Set(['invalid_parameter', 'invalid_value']);

function sentence(name: string, reason: string): string {
  return reason.startsWith(`"${name}"`) ? reason : `"${name}" cannot be read. ${reason}`;
}

function asSentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
