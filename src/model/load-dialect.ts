import type { CounterDialect } from './counters.ts';
import type { TableNames } from './ddl-dialect.ts';
import type { RowChunk } from './load.ts';
import type { Column, ForeignKey, Table } from './schema.ts';

/** The SQL and the properties of one database for bulk loads, in addition to `LoadSession.insert`. */
export interface LoadDialect {
  /** The rows of one `LoadSession.insert`: many if a write costs round trips to a server, few if it does not. */
  readonly rowsPerBatch: number;
  /**
   * All foreign keys can be deferred to the commit, whose error names the rows. Otherwise rows are held
   * back until the rows that they reference are inserted.
   */
  readonly defersAllForeignKeys: boolean;
  /** The statements that make the database check a table's deferred foreign keys with each statement. */
  checkKeysImmediately(table: Table): readonly string[];
  /**
   * Lists the partitions, where they are tables of their own: namespace (NULL for the default one), name,
   * `Table.name` of the partitioned table, and names of the columns as a JSON array.
   */
  readonly partitionsQuery?: string;
  readonly savepoint: Savepoint;
  /** Has another name: `savepoint` is set, undone and released after it. */
  readonly cycleSavepoint: Savepoint;
  readonly counters: CounterDialect;
  /**
   * Advances an identity past the keys in its table, never back. Undefined if the database does so
   * itself. `isTrial`: the statement only checks that it could, because it could not be rolled back.
   */
  advanceIdentity(table: TableNames, column: string, isTrial?: boolean): string | undefined;
  /** Whether an UPDATE cannot set the column: it is an identity. */
  rejectsUpdates(this: void, column: Column): boolean;
  /** How to defer or disable the checks of a foreign key until `end`; undefined if that is impossible. */
  deferForeignKey(table: Table, key: ForeignKey): ForeignKeyDeferral | undefined;
  /** Why it is impossible, as a clause; undefined if that has no reason other than a missing name. */
  deferralObstacle?(table: Table, key: ForeignKey): string | undefined;
}

export interface Savepoint {
  readonly set: string;
  /** Undefined if the database has no such statement. */
  readonly release: string | undefined;
  readonly undo: string;
}

export interface ForeignKeyDeferral {
  /** Runs once before `begin`. May fail after rows of the table were written, if `mayLeavePendingTriggers`. */
  readonly prepare: readonly string[];
  readonly begin: readonly string[];
  /** Statements that check the rows. They run for all keys before `end` of any. */
  readonly check: readonly string[];
  /** Runs after a failure too; the rollback may have made it unnecessary. */
  readonly end: readonly string[];
  /** No foreign key of any table is checked from `begin` to `end`. */
  readonly affectsAllKeys: boolean;
  /** A dangling reference makes `check`, `end` or the commit fail. */
  readonly verifies: boolean;
  /** Needs only the privilege to write rows, and has no effect on other sessions. */
  readonly isLightweight: boolean;
}

/** What happens to a row whose key already exists. */
export type ConflictRule =
  | { readonly kind: 'error' }
  | { readonly kind: 'skip' | 'update'; readonly key: readonly KeyPart[] };

export interface KeyPart {
  readonly column: Column;
  /** The index's collation if it differs from the column's. */
  readonly collation?: string;
}

/** Rows of one table. The result is the same as that of one INSERT for each row, in order. */
export interface InsertBatch extends RowChunk {
  readonly conflict: ConflictRule;
}

/** How the rows of a table change. */
export type RowChange = 'insert' | 'update' | 'delete';

/** Rows that are in neither count were skipped. */
export interface InsertCounts {
  readonly inserted: number;
  readonly updated: number;
}

/** Some or all rows of a batch could not be written; `cause` has the database's error. */
export class RowsFailure extends Error {
  /** The index of the first such row in the batch. */
  readonly first: number;
  readonly count: number;
  /** The column, if the database reports it apart from its error. */
  readonly column: string | undefined;

  constructor(
    cause: unknown,
    rows: { readonly first: number; readonly count: number; readonly column?: string | undefined },
  ) {
    super('Rows could not be written.', { cause });
    this.name = 'RowsFailure';
    this.first = rows.first;
    this.count = rows.count;
    this.column = rows.column;
  }
}
