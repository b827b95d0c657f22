import type { DataImportResponse } from './call-import.ts';

/** Returns the number of inserted and updated rows. */
export function writtenRows(response: DataImportResponse): number {
  return (
    response.rows_imported +
    sum(Object.values(response.tables).map((counts) => counts.rows_updated))
  );
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
