import { shortenMessage } from '../../model/errors.ts';
import type { RowError, RowErrors } from '../../model/load.ts';

/** Collects the errors of rows. A file may have one in each row, so only the first are kept. */
export interface RowErrorList {
  add(this: void, error: RowError): void;
  all(this: void): RowErrors;
}

export const maxRowErrors = 100;

export function createRowErrorList(): RowErrorList {
  const first: RowError[] = [];
  let count = 0;
  return {
    add: (error) => {
      count++;
      if (first.length < maxRowErrors) first.push(shortened(error));
    },
    all: () => ({ first, count }),
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
