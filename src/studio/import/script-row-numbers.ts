/** Row numbers that `sqlite3 .dump --preserve-rowids` writes for tables without a key. */
import type { Table } from '../../model/schema.ts';
import type { FileProblems } from './file-problems.ts';

/** Whether a column of a script that the table does not have has such numbers. A warning names it. */
export function isScriptRowNumber(
  table: Table,
  name: string,
  { isScript, problems }: { readonly isScript: boolean; readonly problems: FileProblems },
): boolean {
  if (!isScript || name.toLowerCase() !== 'rowid') return false;
  problems.warnOnce(
    `The row numbers (${name}) of table "${table.name}" are left out: the table has no column for them.`,
  );
  return true;
}
