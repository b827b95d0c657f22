import { shortenMessage } from '../../model/errors.ts';
import type { Warning } from '../../formats/row-import.ts';
import type { RowError } from '../../model/load.ts';

/** The errors and warnings of an import. */
export interface ImportProblems {
  report(this: void, error: RowError): void;
  /** An error of a row that the database rejected. The load counts such rows itself. */
  reportFromDatabase(this: void, error: RowError): void;
  warn(this: void, warning: Warning): void;
  warnOnce(this: void, sentence: string): void;
  /** The first hundred errors, in the order in which they were reported. */
  errors(): readonly RowError[];
  errorCount(): number;
  /** Whether an error is about more than one row, so that skipping rows does not help. */
  isFatal(): boolean;
  /** The number of rows that the studio's own checks rejected, by table. */
  rejectedRows(): ReadonlyMap<string, number>;
  warnings(): readonly string[];
}

export const maxErrors = 100;

export function createProblems(): ImportProblems {
  const errors: RowError[] = [];
  const rejected = new Map<string, number>();
  const lastRejectedRow = new Map<string, number>();
  const warningCounts = new Map<Warning, number>();
  const sentences = new Set<string>();
  let count = 0;
  let fatal = false;
  const addError = (error: RowError): void => {
    count++;
    if (errors.length < maxErrors) errors.push(shortened(error));
  };
  return {
    reportFromDatabase: addError,
    report: (error) => {
      addError(error);
      const { row, table } = error;
      if (row === undefined) fatal = true;
      else if (lastRejectedRow.get(table) !== row) {
        lastRejectedRow.set(table, row);
        rejected.set(table, (rejected.get(table) ?? 0) + 1);
      }
    },
    warn: (warning) => void warningCounts.set(warning, (warningCounts.get(warning) ?? 0) + 1),
    warnOnce: (sentence) => void sentences.add(shortenMessage(sentence)),
    errors: () => errors,
    errorCount: () => count,
    isFatal: () => fatal,
    rejectedRows: () => rejected,
    warnings: () => [...sentences, ...[...warningCounts].map(([warning, times]) => warning(times))],
  };
}

/** Names of tables and columns may come from the file, so they are shortened too. */
function shortened({ message, table, column, ...error }: RowError): RowError {
  return {
    ...error,
    message: shortenMessage(message),
    table: shortenMessage(table),
    ...(column === undefined ? {} : { column: shortenMessage(column) }),
  };
}
