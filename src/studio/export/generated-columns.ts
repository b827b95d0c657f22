import type { Column } from '../../model/schema.ts';

/** Whether the database generates every value of the column, so that exports need not contain it. */
export function isGeneratedByDatabase(column: Column): boolean {
  return column.generated !== undefined || isVersionColumn(column) || column.isRowNumber === true;
}

/** Columns that accept no values and are not identity columns, such as rowversion and the periods of temporal tables. */
function isVersionColumn({ identityAlways, autoIncrement }: Column): boolean {
  return identityAlways === true && autoIncrement !== true;
}
