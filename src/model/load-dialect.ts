import type { RowChunk } from './load.ts';
import type { Column, ForeignKey, Table } from './schema.ts';

/** How one database takes rows in bulk, beside what `Transaction.insert` does: pure text and facts. */
export interface LoadDialect {
  /** So many rows are gathered before they are written: many where each write is a few round trips, few where memory is all that they cost. */
  readonly rowsTogether: number;
  /** All foreign keys can be left to the commit, which names the rows; else rows wait for those that they point at. */
  readonly defersKeys: boolean;
  /** The statements that have a table's foreign keys looked at with each statement, where they would wait for the commit. */
  checkAtOnce(table: Table): readonly string[];
  /** A part of a transaction that can be undone by itself; `release` is undefined where nothing is to be said. */
  readonly savepoint: Savepoint;
  /** How a foreign key's check is put off until `end`; undefined where that is never needed. */
  suspension(table: Table, key: ForeignKey): Suspension | undefined;
  /** Why what is written to a table could not be undone; undefined where it can. */
  objection(table: Table): string | undefined;
}

export interface Savepoint {
  readonly set: string;
  readonly release: string | undefined;
  readonly undo: string;
}

export interface Suspension {
  readonly begin: readonly string[];
  /** What the database looks at then, of all keys before any is ended. */
  readonly check: readonly string[];
  /** Also after a failure, which may have made it needless. */
  readonly end: readonly string[];
  /** A row that is left pointing nowhere makes `check`, `end` or the commit fail. */
  readonly verifies: boolean;
  /** Takes no more than the right to write rows, and changes nothing that others notice. */
  readonly free: boolean;
}

/** What is done with a row whose key is there already. */
export type ConflictRule =
  | { readonly kind: 'error' }
  | { readonly kind: 'skip' | 'update'; readonly key: readonly KeyPart[] };

export interface KeyPart {
  readonly column: Column;
  /** The index's own collation, where it is not the column's. */
  readonly collation?: string;
}

/** Rows of one table, to be written as by one INSERT each, in their order. */
export interface InsertBatch extends RowChunk {
  readonly conflict: ConflictRule;
}

/** What became of the rows; what was neither inserted nor updated was left as it was. */
export interface InsertCounts {
  readonly inserted: number;
  readonly updated: number;
}

/** Rows of a batch that could not be written, all or one of them: `cause` says why. */
export class RowsFailure extends Error {
  /** Of the first of them, in the batch. */
  readonly first: number;
  readonly count: number;
  /** Where the database tells it beside its error. */
  readonly column: string | undefined;

  constructor(
    cause: unknown,
    place: { readonly first: number; readonly count: number; readonly column?: string | undefined },
  ) {
    super('Rows could not be written.', { cause });
    this.name = 'RowsFailure';
    this.first = place.first;
    this.count = place.count;
    this.column = place.column;
  }
}
