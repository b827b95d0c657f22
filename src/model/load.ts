import type { StudioError } from './errors.ts';
import type { LoadCounter } from './counters.ts';
import type { Column, Table } from './schema.ts';
import type { Row } from './values.ts';

/** Rows of one table, values already coerced to their columns. */
export interface RowChunk {
  readonly table: Table;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** Number of the first row in its table in the file, from 1; rows are consecutive unless `rowNumbers` says otherwise. */
  readonly firstRow: number;
  readonly rowNumbers?: readonly number[];
  /** The sheet or the file of an archive, if there are several: rows and lines count within it. */
  readonly source?: string;
  /** Physical line of each row, where the format has lines. */
  readonly lines?: readonly number[];
  /** Bytes of the file that were read by the time these rows were complete. */
  readonly fileBytes?: number;
}

export interface LoadOptions {
  readonly onConflict: 'error' | 'skip' | 'update';
  readonly conflictColumns?: readonly string[] | undefined;
  readonly onError: 'abort' | 'skip';
  readonly mode: 'append' | 'replace';
  readonly dryRun: boolean;
  /** NULL in a column that the database numbers stands for the next number. Otherwise the database decides what it means. */
  readonly shouldNumberNulls?: boolean;
  readonly signal?: AbortSignal;
  /** The counters that the batches so far set. */
  readonly counters?: () => readonly LoadCounter[];
  readonly onProgress?: (progress: LoadProgress) => void;
  /** Receives each error of a row that is skipped. */
  readonly onRejected?: (error: RowError) => void;
}

export interface LoadProgress {
  /** The table that was written last. */
  readonly table: string;
  /** Rows written so far, in all tables. */
  readonly rows: number;
  /** Bytes of the file that these rows take up. */
  readonly bytes: number;
}

export interface RowError {
  readonly code: string;
  readonly message: string;
  readonly table: string;
  /** The sheet or the file of an archive, if there are several. */
  readonly source?: string;
  readonly row?: number;
  readonly line?: number;
  readonly column?: string;
  /** The value that was rejected, as the text of a cell of bounded length; null is NULL. Absent if the error is not about one value. */
  readonly value?: string | null;
}

/** An error whose table may be unknown: that of the syntax of a file, or of a check of all rows together. */
export type ErrorInFile = Omit<RowError, 'table'> & Partial<Pick<RowError, 'table'>>;

/** The errors of rows: the first hundred, and the numbers of all. */
export interface RowErrors {
  readonly first: readonly ErrorInFile[];
  readonly count: number;
  /** The number of rows with errors. */
  readonly rows: number;
  readonly byColumn: readonly ColumnErrorCount[];
}

export interface ColumnErrorCount {
  readonly table?: string;
  /** Undefined for errors that are not about one column. */
  readonly column?: string;
  readonly count: number;
}

export interface LoadReport {
  readonly tables: ReadonlyMap<
    string,
    { readonly rowsImported: number; readonly rowsUpdated: number; readonly rowsSkipped: number }
  >;
  readonly warnings: readonly string[];
  /** The errors of rows that the database rejected and that were skipped. */
  readonly rowErrors: RowErrors;
  /** About auto-increment counters and sequences that a rollback could not set back. */
  readonly counterWarnings: readonly string[];
}

/**
 * How a load ended. `loaded`: everything was written, or could be written in a dry run. `rejected`: the
 * database does not accept the rows. `source_failed`: the source of the rows threw the error. Nothing was written
 * in these two cases.
 */
export type LoadOutcome =
  | { readonly kind: 'loaded'; readonly report: LoadReport }
  | { readonly kind: 'rejected'; readonly report: LoadReport; readonly error: StudioError }
  | { readonly kind: 'source_failed'; readonly report: LoadReport; readonly error: unknown };
