import { StudioError } from '../../../src/model/errors.ts';
import { guardFormula } from '../../../src/portable/files/guard-formula.ts';

/** An error at a position in a file, as the API reports it. */
export interface RowError {
  readonly code: string;
  readonly message: string;
  readonly table?: string | undefined;
  /** The sheet or the file of an archive, if there are several. */
  readonly source?: string | undefined;
  readonly row?: number | undefined;
  readonly line?: number | undefined;
  readonly column?: string | undefined;
  /** The rejected value; null is NULL. */
  readonly value?: string | null | undefined;
}

/** The errors of a file: the first hundred, and the number of all. */
export interface FileErrors {
  readonly first: readonly RowError[];
  readonly count: number;
  /** The number of rows with errors. */
  readonly rows: number;
  /** The numbers of all errors, by the name of their column. Undefined is the whole row. */
  readonly byColumn: ReadonlyMap<string | undefined, number>;
}

interface ErrorMembers {
  readonly errors?: readonly RowError[] | undefined;
  readonly error_count?: number | undefined;
  readonly error_rows?: number | undefined;
  readonly error_counts?:
    | readonly { readonly column?: string | undefined; readonly count: number }[]
    | undefined;
}

/** The errors in a response, or in the details of an error. Undefined if there is none. */
export function fileErrorsOf(members: ErrorMembers): FileErrors | undefined {
  const first = (members.errors ?? []).map(withoutPosition);
  const [firstError] = first;
  if (firstError === undefined) return undefined;
  const counts = members.error_counts ?? first.map(({ column }) => ({ column, count: 1 }));
  const byColumn = new Map<string | undefined, number>();
  for (const { column, count } of counts) byColumn.set(column, (byColumn.get(column) ?? 0) + count);
  return {
    first,
    count: members.error_count ?? first.length,
    rows: members.error_rows ?? 0,
    byColumn,
  };
}

/** In errors of a script, the column is a position in the line. */
function withoutPosition(error: RowError): RowError {
  const { column, ...otherMembers } = error;
  return typeof column === 'string' ? error : otherMembers;
}

export function fileErrorsInDetails(error: unknown): FileErrors | undefined {
  return error instanceof StudioError ? fileErrorsOf(error.details) : undefined;
}

/** Formats errors as CSV. */
export function errorsAsCsv(errors: readonly RowError[]): string {
  const names = ['table', 'row', 'line', 'column', 'value', 'code', 'message'] as const;
  const hasSources = errors.some(({ source }) => source !== undefined);
  const shownMembers = hasSources ? (['source', ...names] as const) : names;
  const lines = errors.map((error) =>
    shownMembers.map((name) => quoted(guardFormula(String(error[name] ?? '')))).join(','),
  );
  return [shownMembers.join(','), ...lines, ''].join('\r\n');
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
