import type { InsertBatch, InsertCounts, RowChange } from './load-dialect.ts';
import type { RunOptions } from './run-options.ts';
import type { Table } from './schema.ts';

export interface InsertOptions extends RunOptions {
  /** Called when this process has time until the database responds. May be called several times, or not at all. */
  readonly onSent?: () => void;
}

/** What the statements of a write transaction can use to load files of rows. */
export interface LoadSession {
  /**
   * Writes rows in the fastest way that is as strict as INSERT. A `RowsFailure` has the rejected
   * rows; other rows of the batch may already be written.
   */
  insert(batch: InsertBatch, options?: InsertOptions): Promise<InsertCounts>;
  /**
   * Encodes rows for a later `insert` of the same batch, while the database writes others. The result of
   * that `insert` is the same without it. Absent where little would be gained.
   */
  encodeAhead?(this: void, batch: InsertBatch): void;
  /**
   * The names of the tables whose rows triggers and foreign key actions write when rows of a table
   * change; empty where the database checks the foreign keys of such rows itself.
   */
  uncheckedIndirectlyWrittenTables(
    table: Table,
    changes: readonly RowChange[],
  ): Promise<readonly string[]>;
  /** Whether such changes of a table run triggers, rules, or another mechanism that sees each change. */
  runsTriggers(table: Table, changes: readonly RowChange[]): Promise<boolean>;
  /** Whether constraints may reject a row with NULL in these columns and accept it with other values. */
  mayRejectNull(table: Table, columns: readonly string[]): Promise<boolean>;
  /**
   * Whether deferred triggers may be pending once rows of the table are written or deleted: its foreign
   * keys must then be prepared before (`ForeignKeyDeferral.prepare`).
   */
  mayLeavePendingTriggers(table: Table): Promise<boolean>;
  /**
   * The number of values that the transaction has taken from a counter, by its id in
   * `CounterRestoration.stateQuery`, where a rollback does not set it back and they can be counted.
   */
  countDrawnValues?(this: void, counterId: string): number;
  /** Called before all rows of a table are deleted, so that the database can speed up the checks of its keys. */
  beforeDeletingAllRows(table: Table): Promise<void>;
  /** Fails as the commit would if a deferred foreign key is violated. */
  checkForeignKeys(): Promise<void>;
}
