/** How much of a running check or import is done. */
import type { ImportState } from './import-store.ts';

/** Returns the number of rows that the dry run counted. */
export function checkedRows({ check }: ImportState): number | undefined {
  if (check?.response?.kind !== 'data') return undefined;
  return Object.values(check.response.body.tables).reduce(
    (sum, counts) => sum + counts.rows_imported + counts.rows_updated + counts.rows_skipped,
    0,
  );
}

/** The size of the file, in bytes. */
export function sizeOf({ files }: Pick<ImportState, 'files'>): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}
