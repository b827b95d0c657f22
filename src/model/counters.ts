/** The next generated values of numbered columns and of sequences. */
import type { Column, Table } from './schema.ts';
import type { Row } from './values.ts';

/** The position of a counter. */
export interface CounterPosition {
  readonly value: bigint;
  /** The value is the last one generated; otherwise it is the next one. */
  readonly isUsed: boolean;
}

/** A column that the database numbers, or a sequence by the parts of its name. */
export type Counter =
  | { readonly kind: 'column'; readonly table: Table; readonly column: Column }
  | { readonly kind: 'sequence'; readonly parts: readonly string[] };

/** The SQL that sets the next generated value of a counter. */
export interface CounterDialect {
  /**
   * Whether sequences exist apart from columns. `beside columns`: columns are numbered without them, so a file
   * of another database may mean a column.
   */
  readonly hasSequences: boolean | 'beside columns';
  /**
   * A query for whether a counter must move to reach a position: one row with 1 or 0, and no row if
   * there is no such counter or if it cannot have the position.
   */
  mustMoveQuery(counter: Counter, position: CounterPosition): string;
  /** Why an import cannot move the counter, as the end of a sentence; undefined if it can. */
  unsupportedReason(counter: Counter): string | undefined;
  /** Moves a counter to a position, but never back. `isTrial`: only checks that it could. */
  move(counter: Counter, position: CounterPosition, isTrial: boolean): readonly string[];
  /** A query for the next generated value, in the first column: one row, or none if it cannot be read. */
  nextValueQuery(counter: ColumnCounter): string | undefined;
  /**
   * The statement that sets the next value after the commit, for a table that the import has created.
   * Undefined where `move` does so.
   */
  readonly setAfterCommit?: (table: Table, next: bigint) => string;
  /** Undefined where a rollback restores the counters. */
  readonly afterRollback: CounterRestoration | undefined;
}

export type ColumnCounter = Extract<Counter, { readonly kind: 'column' }>;

/** How to restore counters that a rollback leaves moved. */
export interface CounterRestoration {
  /**
   * One row: the next generated value, an id, then what else `restore` needs. Columns that share a counter
   * have the same id. No row if there is no counter, or if it cannot be read.
   */
  stateQuery(counter: ColumnCounter): string;
  /**
   * A statement that restores a counter without effect on other sessions. Undefined if another session
   * may have used the counter meanwhile, or if there is no such statement.
   */
  restore(counter: ColumnCounter, states: CounterStates): string | undefined;
  /** Undefined where the database does not show which counters a transaction has moved. */
  readonly movedCounters?: MovedCounters;
  /** Sequences apart from columns, where `movedCounters` does not list them. */
  readonly sequences?: SequenceStates;
}

/** How to find the counters that a transaction has moved, also after one of its statements has failed. */
export interface MovedCounters {
  /** Runs at the beginning of the transaction. */
  readonly savepoint: string;
  /** Runs before `query`, so that it can run after a failure. */
  readonly undo: string;
  /** A row for each counter: its id as in `stateQuery`, and its name in SQL. */
  readonly query: string;
}

export interface SequenceStates {
  /** Whether a default of the table may draw from a sequence. */
  mayUse(this: void, table: Table): boolean;
  /** A row for each sequence. */
  readonly namesQuery: string;
  /** One row: the next value. */
  stateQuery(name: string): string;
}

/** Results of `stateQuery`. */
export interface CounterStates {
  readonly before: Row;
  readonly after: Row;
  /** The number of values that the transaction has taken, by `LoadSession.countDrawnValues`. */
  readonly drawnValues: number;
}

/** A counter and its requested position after the rows. */
export interface LoadCounter {
  readonly counter: Counter;
  readonly position: CounterPosition;
  /** The statement of the file that sets it, for warnings. */
  readonly statement: string;
}
