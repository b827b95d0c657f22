import type { Column } from '../../model/schema.ts';

/** Whether the database generates every value of the column, so that exports need not contain it. */
export function isGeneratedByDatabase(column: Column): boolean {
  return column.generated !== undefined || acceptsNoValues(column) || column.isRowNumber === true;
}

/** Columns that are no identity columns and yet accept no values, such as rowversion and the periods of temporal tables. */
function acceptsNoValues({ identityAlways, autoIncrement }: Column): boolean {
  return identityAlways === true && autoIncrement !== true;
}
