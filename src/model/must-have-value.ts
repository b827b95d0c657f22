import type { Column } from './schema.ts';

/** Whether a new row has a value in the column only if INSERT gives it one. */
export function mustHaveValue(column: Column): boolean {
  return (
    !column.nullable &&
    column.default === undefined &&
    column.generated === undefined &&
    column.autoIncrement !== true &&
    column.isRowNumber !== true
  );
}
