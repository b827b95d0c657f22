/** Interfaces of the readers of data files. Readers know no database: they ask an ImportContext for the columns. */
import type { RowChunk, RowError } from '../model/load.ts';
import type { Column, Table } from '../model/schema.ts';

/** The table and columns that a file's columns are imported into. */
export interface ColumnMapping {
  readonly table: Table;
  /** In the order of the file; undefined for columns that are skipped. */
  readonly columns: readonly (Column | undefined)[];
  /** Names that match no column, or the same column twice. Every row is rejected with these errors. */
  readonly errors: readonly Pick<RowError, 'code' | 'message' | 'column'>[];
}

/** A table by its name in requests, or by the parts of its qualified name in SQL. */
export type TableReference =
  | string
  | {
      readonly parts: readonly string[];
      /** Search path: schemas in which a name of one part is looked up, in this order. */
      readonly path?: readonly string[];
    };

/** Table and columns of the rows that follow. */
export interface RowsHeader {
  /** Undefined: the table of the request. */
  readonly table: TableReference | undefined;
  /** Undefined: rows have all columns of the table, in its order. */
  readonly columns: readonly string[] | undefined;
}

/** The text of a warning, for a number of occurrences. */
export type Warning = (count: number) => string;

/** What a reader gets from the import: the columns, and where to report errors and warnings. */
export interface ImportContext {
  /** Throws for an unknown table. */
  mapColumns(heading: RowsHeader): ColumnMapping;
  /** Whether the table of the request has a column of this name. */
  hasColumn(column: string): boolean;
  /** Reports one or more rows that cannot be imported. The reader continues. */
  report(error: RowError): void;
  /** Adds one warning, which counts its occurrences. */
  warn(warning: Warning): void;
}

export type RowBatches = AsyncGenerator<RowChunk, void, undefined>;

/** A row must fit into memory. Anything longer is probably a quote or bracket that is not closed. */
export const maxRowBytes = 64 * 1024 * 1024;
