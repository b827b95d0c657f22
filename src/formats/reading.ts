/** What the readers of rows have in common. They know bytes and columns; whose columns, they are told. */
import type { RowChunk, RowError } from '../model/load.ts';
import type { Column, Table } from '../model/schema.ts';

/** Something to be read from its start, as often as is needed. */
export interface ByteSource {
  /** As messages call it. */
  readonly name: string;
  open(): AsyncIterable<Uint8Array>;
}

/** Where the columns of a file go. */
export interface Target {
  readonly table: Table;
  /** In the order of the file; undefined for what is left out. */
  readonly columns: readonly (Column | undefined)[];
  /** Names that are no columns, or the same one; rows under them cannot be taken. */
  readonly flaws: readonly Pick<RowError, 'code' | 'message' | 'column'>[];
}

/** A table by the parts of its name, as SQL writes it, or by the name clients use. */
export type TableNaming =
  | string
  | {
      readonly parts: readonly string[];
      /** Schemas in which a name of one part is looked up, one after another. */
      readonly path?: readonly string[];
    };

/** What a file says of its rows before they come. */
export interface Heading {
  /** Undefined where the request says it. */
  readonly table: TableNaming | undefined;
  /** Undefined where rows have all of the table's columns, in its order. */
  readonly columns: readonly string[] | undefined;
}

/** What a warning says of that many cases. */
export type Warning = (count: number) => string;

/** Handed to a reader by whoever knows the tables. */
export interface Reading {
  /** The place of a file's columns; an unknown table throws. */
  locate(heading: Heading): Target;
  /** Whether a header's name would be found in the table that the request names. */
  knows(column: string): boolean;
  /** A row, or more than a row, that cannot be taken. The reader goes on. */
  report(error: RowError): void;
  /** Says something once, with the number of its cases. */
  warn(warning: Warning): void;
}

export type RowChunks = AsyncGenerator<RowChunk, void, undefined>;

/** One row with everything in it must fit into memory; beyond, a quote or bracket was probably never closed. */
export const longestRowBytes = 64 * 1024 * 1024;
