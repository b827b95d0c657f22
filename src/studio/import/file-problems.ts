import { shortenMessage } from '../../model/errors.ts';
import { shortText } from '../../model/values/cut-text.ts';
import { createRowErrorList } from '../../model/row-errors.ts';
import type { RowPosition, Warning } from '../../formats/row-import.ts';
import type { RowError, RowErrors } from '../../model/load.ts';

/** What is wrong with the part of a file that has been read. */
export interface FileProblems {
  report(this: void, error: RowError): void;
  /** Called at the beginning of each row. */
  beginRow(this: void, position: RowPosition): void;
  warn(this: void, warning: Warning, value?: string): void;
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
  const warnings = new Map<Warning, CountedWarning>();
  let position: RowPosition | undefined;
  const sentences = new Set<string>();
  let fatal = false;
  return {
    report: (error) => {
      errors.add(error);
      if (error.row !== undefined) onRejected?.(error);
      const { row, table, source = '' } = error;
      const rejectedRow = `${row} ${source}`;
      if (row === undefined) fatal = true;
      else if (lastRejectedRow.get(table) !== rejectedRow) {
        lastRejectedRow.set(table, rejectedRow);
        rejected.set(table, (rejected.get(table) ?? 0) + 1);
      }
    },
    beginRow: (current) => void (position = current),
    warn: (warning, value) => {
      const counted = warnings.get(warning) ?? { count: 0, first: [] };
      warnings.set(warning, counted);
      counted.count++;
      if (value !== undefined && position !== undefined && counted.first.length < maxPositions)
        counted.first.push({ ...position, value });
    },
    warnOnce: (sentence) => void sentences.add(shortenMessage(sentence)),
    errors: errors.all,
    isFatal: () => fatal,
    rejectedRows: () => rejected,
    warnings: () => [
      ...sentences,
      ...[...warnings].map(([warning, { count, first }]) =>
        [warning(count), ...positionsOf(first)].join(' '),
      ),
    ],
  };
}

/** As many are enough to find the values in the file. */
const maxPositions = 5;

interface CountedWarning {
  count: number;
  readonly first: (RowPosition & { readonly value: string })[];
}

function positionsOf(first: CountedWarning['first']): readonly string[] {
  const texts = first.map(({ line, source, value }) => {
    const part = source === undefined ? '' : ` of ${JSON.stringify(source)}`;
    return `line ${line}${part}: ${JSON.stringify(shortText(value))}`;
  });
  return texts.length === 0 ? [] : [`The first: ${texts.join(', ')}.`];
}
