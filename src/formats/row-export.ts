/** Interfaces of the writers of data files. Writers know no database: they get columns and rows. */
import type { Column, Table } from '../model/schema.ts';
import type { Row } from '../model/values.ts';

/** The rows of a table or view. */
export interface TableRows {
  readonly table: Table;
  /** The exported columns, in the order of the rows' values. */
  readonly columns: readonly Column[];
  /** Can be read once. */
  readonly batches: AsyncIterable<readonly Row[]>;
  /** The same rows as CSV lines written by the database, to be read instead of `batches`. */
  readonly csv?: AsyncIterable<Uint8Array>;
}

/** One table after another. All rows of one must be read before the next is requested. */
export type TableStream = AsyncIterable<TableRows>;

/** The content of a file in chunks of any size: bytes, or text to be encoded as UTF-8. */
export type FileChunks = AsyncGenerator<string | Uint8Array, void, undefined>;
