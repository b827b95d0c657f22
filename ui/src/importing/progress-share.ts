import type { UploadProgress } from '../../../src/contract/client/client.ts';
import { commonTexts } from '../texts/common.ts';
import { importStartTexts } from '../texts/import-start.ts';

interface TimedProgress {
  readonly progress?: UploadProgress;
  /** When the first rows were imported; until then, when the last progress was reported. */
  readonly rowsSince: number;
}

/** Adds a report of progress. The time of a pass in which no rows are imported does not count for their rate. */
export function withProgress<Running extends TimedProgress>(
  running: Running,
  progress: UploadProgress,
): Running {
  const rowsSince = progress.rows === 0 ? performance.now() : running.rowsSince;
  return { ...running, progress, rowsSince };
}

interface KnownTotals {
  /** The number of rows, if it is known. */
  readonly rows: number | undefined;
  /** The size of the file. */
  readonly bytes: number;
}

/**
 * Returns the completed share of the rows if their number is known, else of the bytes. A file that is read
 * twice has twice its bytes to read, and no rows in the first pass. The share stays below 1 until the end.
 */
export function shareOf(progress: UploadProgress, total: KnownTotals): number {
  const { bytes, total_bytes: totalBytes, rows } = progress;
  const firstPass = Math.max(0, 1 - total.bytes / totalBytes);
  const share =
    total.rows === undefined || rows === 0
      ? bytes / totalBytes
      : firstPass + ((1 - firstPass) * rows) / total.rows;
  return Number.isFinite(share) ? Math.min(0.99, share) : 0;
}

/** The count of the imported rows, and their number if it is known. */
export function rowsText({ rows }: UploadProgress, total: number | undefined): string {
  if (rows === 0) return importStartTexts.readingFile;
  if (total === undefined) return commonTexts.rowCount({ count: rows });
  return importStartTexts.rowsOfTotal({
    count: rows.toLocaleString('en'),
    totalRows: commonTexts.rowCount({ count: total }),
  });
}
