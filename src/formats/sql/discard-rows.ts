import type { ImportContext } from '../row-import.ts';

/** The context of a trial, which imports nothing. */
export const discardRows: ImportContext = {
  mapColumns: () => {
    throw new Error('A trial must not map columns.');
  },
  hasColumn: () => false,
  setCounter: () => undefined,
  report: () => undefined,
  warn: () => undefined,
};
