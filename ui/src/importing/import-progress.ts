/** How much of a running check or import is done. */
import type { UploadProgress } from '../../../src/contract/client/client.ts';
import type { ImportState } from './import-store.ts';

/** Returns the number of rows that the dry run counted. */
export function checkedRows({ check }: ImportState): number | undefined {
  if (check?.response?.kind !== 'data') return undefined;
  return Object.values(check.response.body.tables).reduce(
    (sum, counts) => sum + counts.rows_imported + counts.rows_updated + counts.rows_skipped,
    0,
  );
}

/** Returns the completed share of the rows if their number is known, else of the bytes. It stays below 1 until the end. */
export function shareOf(progress: UploadProgress, total: number | undefined): number {
  const { bytes, total_bytes: totalBytes, rows } = progress;
  const share = total === undefined ? bytes / totalBytes : rows / total;
  return Number.isFinite(share) ? Math.min(0.99, share) : 0;
}
