import { shortenMessage } from '../../model/errors.ts';
import { createRowErrorList } from '../../model/row-errors.ts';
import type { Warning } from '../../formats/row-import.ts';
import type { RowError, RowErrors } from '../../model/load.ts';

/** What is wrong with the part of a file that has been read. */
export interface FileProblems {
  report(this: void, error: RowError): void;
  warn(this: void, warning: Warning): void;
  warnOnce(this: void, sentence: string): void;
  errors(): RowErrors;
  /** Whether an error is about more than one row, so that skipping rows does not help. */
  isFatal(): boolean;
  /** The number of rows that have errors, by table. */
  rejectedRows(): ReadonlyMap<string, number>;
  warnings(): readonly string[];
}

export function createFileProblems(onRejected?: (error: RowError) => void): FileProblems {
  const errors = createRowErrorList();
  const rejected = new Map<string, number>();
  const lastRejectedRow = new Map<string, string>();
  const warningCounts = new Map<Warning, number>();
  const sentences = new Set<string>();
  let fatal = false;
  return {
    report: (error) => {
      errors.add(error);
      if (error.row !== undefined) onRejected?.(error);
      const { row, table, source = '' } = error;
      const position = `${row} ${source}`;
      if (row === undefined) fatal = true;
      else if (lastRejectedRow.get(table) !== position) {
        lastRejectedRow.set(table, position);
        rejected.set(table, (rejected.get(table) ?? 0) + 1);
      }
    },
    warn: (warning) => void warningCounts.set(warning, (warningCounts.get(warning) ?? 0) + 1),
    warnOnce: (sentence) => void sentences.add(shortenMessage(sentence)),
    errors: errors.all,
    isFatal: () => fatal,
    rejectedRows: () => rejected,
    warnings: () => [...sentences, ...[...warningCounts].map(([warning, times]) => warning(times))],
  };
}
