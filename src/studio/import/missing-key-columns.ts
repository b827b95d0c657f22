import type { ColumnMapping } from '../../formats/row-import.ts';
import type { Column, Table } from '../../model/schema.ts';
import type { FileProblems } from './file-problems.ts';
import type { ImportOptions } from './import-options.ts';

/** Without the key, existing rows are not found. A key that the request names must be in the file. */
export function missingKeyColumns(
  { name: table, primaryKey }: Table,
  columns: readonly (Column | undefined)[],
  { options, problems }: { readonly options: ImportOptions; readonly problems: FileProblems },
): ColumnMapping['errors'] {
  const { onConflict, conflictColumns } = options;
  if (onConflict === 'error' || columns.length === 0) return [];
  const found = new Set(columns.map((column) => column?.name));
  const missing = (conflictColumns ?? primaryKey?.columns ?? []).filter((name) => !found.has(name));
  if (conflictColumns === undefined) {
    if (missing.length > 0)
      problems.warnOnce(
        `Rows without column "${missing[0]}" of table "${table}", which is part of its primary key, were not compared with existing ones. conflict_columns can name another unique key.`,
      );
    return [];
  }
  return missing.map((column) => ({
    code: 'unknown_column',
    message: `The file has no column "${column}", but conflict_columns names it as part of the key by which existing rows are found.`,
    column,
  }));
}
