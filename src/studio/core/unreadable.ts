import { StudioError } from '../../model/errors.ts';
import type { Dialect } from '../../model/database.ts';
import type { Table } from '../../model/schema.ts';

/** A view whose tables are gone, or a table whose module is not there: no column of it is known. */
export function unreadableTable({ name, comment, incomplete }: Table): StudioError {
  if (incomplete !== undefined)
    return new StudioError('database_busy', `"${name}" cannot be read. ${incomplete}`, {
      table: name,
    });
  const why = comment ?? 'It has no columns that the studio can read.';
  return new StudioError('table_unreadable', `"${name}" cannot be read. ${why}`, { table: name });
}

/**
 * Why a table or view could not be read by a statement that is all the studio's own. Codes that say
 * what to do about it (permission, lock, time limit) stay; whatever else the database says against
 * such a statement is about the table.
 */
export function unreadable(dialect: Dialect, table: Table, error: unknown): StudioError {
  const { name } = table;
  if (error instanceof StudioError) {
    // An error that names a parameter is about the request.
    if (error.details['parameter'] !== undefined) return error;
    const code = ofStatement.has(error.code) ? 'table_unreadable' : error.code;
    return new StudioError(code, sentence(name, error.message), { ...error.details, table: name });
  }
  const said = dialect.messageOf(error);
  return said === undefined
    ? new StudioError('internal', sentence(name, 'The studio failed.'), { table: name })
    : new StudioError('table_unreadable', sentence(name, asSentence(said)), { table: name });
}

const ofStatement: ReadonlySet<string> = new Set(['invalid_parameter', 'invalid_value']);

function sentence(name: string, why: string): string {
  return why.startsWith(`"${name}"`) ? why : `"${name}" cannot be read. ${why}`;
}

function asSentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
