import { furtherErrors } from '../model/values/further-errors.ts';
import type { RowError } from '../model/load.ts';
import type { Row } from '../model/values.ts';
import type { ColumnMapping, ImportContext } from './row-import.ts';

interface InvalidRow {
  /** The values of the columns that are not skipped. */
  readonly row: Row;
  /** The indexes in `row` of the values that are reported already. */
  readonly invalid: ReadonlySet<number>;
  readonly position: Required<Pick<RowError, 'table' | 'row' | 'line'>>;
}

/** Reports what the database would reject in a row that it does not get. */
export function reportFurtherErrors(
  context: ImportContext,
  { table, columns }: Pick<ColumnMapping, 'table' | 'columns'>,
  { row, invalid, position }: InvalidRow,
): void {
  const readColumns = columns.filter((column) => column !== undefined);
  const isReported = (i: number): boolean => invalid.has(i);
  for (const error of furtherErrors({ table, columns: readColumns, row, isReported }))
    context.report({ ...error, ...position });
}
