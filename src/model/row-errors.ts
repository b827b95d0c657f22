/** The errors of rows, in the order of the file, and their numbers: what every report of an import shows. */
import { shortenMessage } from './errors.ts';
import type { ErrorDetails } from './errors.ts';
import type { ColumnErrorCount, RowErrors, ErrorInFile } from './load.ts';

/** Collects the errors of rows. A file may have one in each row, so only the first are kept. */
export interface RowErrorList {
  add(this: void, error: ErrorInFile): void;
  /** All errors of one row, of which the database may not tell the number. */
  addRow(this: void, errors: readonly ErrorInFile[]): void;
  all(this: void): RowErrors;
}

export const maxRowErrors = 100;

export const noRowErrors: RowErrors = { first: [], count: 0, rows: 0, byColumn: [] };

export function createRowErrorList(): RowErrorList {
  const first: ErrorInFile[] = [];
  const counts = createColumnCounts();
  const isFirstOfRow = createRowChange();
  let count = 0;
  let rows = 0;
  const add = (error: ErrorInFile): void => {
    count++;
    if (error.row !== undefined && isFirstOfRow(error)) rows++;
    const listed = shortened(error);
    counts.add(listed, 1);
    if (first.length < maxRowErrors) first.push(listed);
  };
  return {
    add,
    addRow: (errors) => {
      for (const error of errors) add(error);
      if (errors.every(({ row }) => row === undefined)) rows++;
    },
    all: () => ({ first, count, rows, byColumn: counts.all() }),
  };
}

/** Whether an error is about another row of its table than the error before. Errors of one row are found together. */
function createRowChange(): (error: ErrorInFile) => boolean {
  const lastRows = new Map<string | undefined, string>();
  return ({ table, source = '', row }) => {
    const current = `${row} ${source}`;
    if (lastRows.get(table) === current) return false;
    lastRows.set(table, current);
    return true;
  };
}

/** The members of a response or of the details of an error. */
export interface RowErrorMembers {
  readonly errors: readonly ErrorInFile[];
  readonly error_count: number;
  /** Rows with errors. A row can have several. */
  readonly error_rows: number;
  readonly error_counts: readonly ColumnErrorCount[];
}

export function rowErrorMembers({ first, count, rows, byColumn }: RowErrors): RowErrorMembers {
  return { errors: first, error_count: count, error_rows: rows, error_counts: byColumn };
}

/** The errors in the details of an error. */
export function rowErrorsIn(details: ErrorDetails): RowErrors | undefined {
  const {
    errors,
    error_count: count,
    error_rows: rows,
    error_counts: byColumn,
  } = details as Partial<RowErrorMembers>;
  if (!Array.isArray(errors)) return undefined;
  return count === undefined || rows === undefined || byColumn === undefined
    ? listRowErrors(errors as readonly ErrorInFile[])
    : { first: errors as readonly ErrorInFile[], count, rows, byColumn };
}

export function listRowErrors(errors: readonly ErrorInFile[]): RowErrors {
  const list = createRowErrorList();
  for (const error of errors) list.add(error);
  return list.all();
}

/** Combines the errors that the studio and those that the database found. */
export function joinRowErrors(lists: readonly RowErrors[]): RowErrors {
  const counts = createColumnCounts();
  for (const { byColumn } of lists) for (const each of byColumn) counts.add(each, each.count);
  return {
    first: inFileOrder(lists.flatMap(({ first }) => first)).slice(0, maxRowErrors),
    count: lists.reduce((sum, { count }) => sum + count, 0),
    rows: lists.reduce((sum, { rows }) => sum + rows, 0),
    byColumn: counts.all(),
  };
}

/** Sorts by line, because errors that only the database detects are found late. */
export function inFileOrder<E extends Pick<ErrorInFile, 'source' | 'line' | 'row'>>(
  errors: readonly E[],
): readonly E[] {
  const sources = [...new Set(errors.map(({ source }) => source))];
  return errors.toSorted(
    (a, b) =>
      sources.indexOf(a.source) - sources.indexOf(b.source) ||
      (a.line ?? Infinity) - (b.line ?? Infinity) ||
      (a.row ?? Infinity) - (b.row ?? Infinity) ||
      0,
  );
}

interface ColumnCounts {
  add(column: Pick<ErrorInFile, 'table' | 'column'>, count: number): void;
  all(): readonly ColumnErrorCount[];
}

/** Unknown columns are names from the file. Beyond this number, they count as none. */
const maxColumns = 1000;

function createColumnCounts(): ColumnCounts {
  const counts = new Map<string, ColumnErrorCount>();
  return {
    add: ({ table, column }, count) => {
      const isKnown = column !== undefined && counts.has(JSON.stringify([table, column]));
      const countedColumn = isKnown || counts.size < maxColumns ? column : undefined;
      const key = JSON.stringify([table, countedColumn]);
      const sum = (counts.get(key)?.count ?? 0) + count;
      counts.set(key, {
        ...(table === undefined ? {} : { table }),
        ...(countedColumn === undefined ? {} : { column: countedColumn }),
        count: sum,
      });
    },
    all: () => [...counts.values()],
  };
}

/** Names of tables and columns may come from the file, so they are shortened too. */
function shortened({ message, table, source, column, ...error }: ErrorInFile): ErrorInFile {
  return {
    ...error,
    message: shortenMessage(message),
    ...(table === undefined ? {} : { table: shortenMessage(table) }),
    ...(source === undefined ? {} : { source: shortenMessage(source) }),
    ...(column === undefined ? {} : { column: shortenMessage(column) }),
  };
}
