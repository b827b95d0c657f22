/** What the writers of rows have in common. They know bytes and columns; whose columns, they are told. */
import type { Column, Table } from '../model/schema.ts';
import type { Row } from '../model/values.ts';

/** The rows of one table, or of a view. */
export interface TableRows {
  readonly table: Table;
  /** Those that are written, in the order of the rows' values. */
  readonly columns: readonly Column[];
  /** Read once. */
  readonly batches: AsyncIterable<readonly Row[]>;
  /** The same rows as lines of CSV, where the database has written them; to be read instead. */
  readonly csv?: AsyncIterable<Uint8Array>;
}

/** Tables one after the other: the rows of one are read up before the next is asked for. */
export type TableStream = AsyncIterable<TableRows>;

/** Parts of a file in order, of any size: texts to be UTF-8, or bytes. */
export type FileParts = AsyncGenerator<string | Uint8Array, void, undefined>;
