import type { Column } from '../../model/schema.ts';

/** Whether the database itself makes every value of the column, so that a file need not hold it. */
export function isMadeByDatabase(column: Column): boolean {
  return column.generated !== undefined || countsVersions(column) || column.isRowNumber === true;
}

/** What takes no value and numbers no rows: rowversion, the periods of versioned tables. */
function countsVersions({ identityAlways, autoIncrement }: Column): boolean {
  return identityAlways === true && autoIncrement !== true;
}
