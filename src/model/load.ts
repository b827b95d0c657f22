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
  /** Physical line of each row, where the format has lines. */
  readonly lines?: readonly number[];
}

export interface LoadOptions {
  readonly onConflict: 'error' | 'skip' | 'update';
  readonly conflictColumns?: readonly string[];
  readonly onError: 'abort' | 'skip';
  readonly mode: 'append' | 'replace';
  readonly dryRun: boolean;
  readonly signal?: AbortSignal;
  /** Called with rows written so far. */
  readonly onProgress?: (table: string, rows: number) => void;
  /** An error of a row that only the database found; with `onError` skip loading goes on. */
  readonly onRowError: (error: RowError) => void;
}

export interface RowError {
  readonly code: string;
  readonly message: string;
  readonly table: string;
  readonly row?: number;
  readonly line?: number;
  readonly column?: string;
}

export interface LoadReport {
  readonly tables: ReadonlyMap<
    string,
    { readonly rowsImported: number; readonly rowsUpdated: number; readonly rowsSkipped: number }
  >;
  readonly warnings: readonly string[];
}
