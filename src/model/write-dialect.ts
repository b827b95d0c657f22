import { param, sql } from './fragment.ts';
import type { Fragment, Param } from './fragment.ts';
import type { Column, Table } from './schema.ts';
import type { Value } from './values.ts';

/** The SQL with which one database writes single rows. Names are passed quoted. Part of the capability `write`. */
export interface WriteDialect {
  /** Without columns, the row has the defaults. A database without RETURNING ignores `returning`. */
  insertRow(insert: InsertRow): Fragment;
  updateRow(update: UpdateRow): Fragment;
  /** `name = value` of an UPDATE. A value that is written back as it was read must not change in storage. */
  assignment(name: string, value: Param): Fragment;
  /** Whether INSERT returns the `returning` expressions of the new row. */
  readonly supportsInsertReturning: boolean;
  /** Whether UPDATE returns those of the updated row. */
  readonly supportsUpdateReturning: boolean;
  readonly rowLock: RowLock;
  /**
   * Locks rows of the table that reference a row with `rowLock`, so that until the transaction ends no row
   * begins or ceases to reference it or them. Undefined if no lock is needed, or if the lock would hide rows.
   */
  referencingRowsLock(table: Table): RowLock | undefined;
  /** For tables whose storage engine ignores `rowLock`; undefined where it locks rows. */
  rowState(table: Table): RowState | undefined;
  /** The statement that defers foreign keys to the commit; undefined where the database has none. */
  readonly deferForeignKeys: string | undefined;
  /**
   * The database only counts violations of foreign keys. Repairing a dangling reference hides a new
   * violation in the same transaction.
   */
  readonly onlyCountsKeyViolations: boolean;
  /** Why writes to a table cannot be rolled back; undefined if they can. */
  noRollbackReason(table: Table): string | undefined;
  /** The current time, as the column stores it. */
  currentTime(column: Column): Fragment;
}

/** Locks the rows of a SELECT until the transaction ends: a hint after the table name, a clause at the end. */
export interface RowLock {
  readonly hint: string;
  readonly clause: string;
}

/** Lets a statement write a row only if it has not changed since an earlier statement read it. */
export interface RowState {
  /** Differs between any two states of a row. */
  readonly expression: string;
  /** Restricts a condition to rows in this state. */
  narrow(where: Fragment, state: Value): Fragment;
}

export interface InsertRow {
  readonly table: string;
  readonly columns: readonly string[];
  readonly values: readonly Fragment[];
  /** The columns that are assigned; `columns` has their quoted names. */
  readonly assignedColumns: readonly Column[];
  readonly returning: readonly string[];
  /** The columns that `returning` returns. */
  readonly returningColumns: readonly Column[];
  /** Every conflict is an error: see `Table.resolvesConflicts`. */
  readonly isStrict?: boolean;
  /** Of the table. */
  readonly options?: Table['options'];
}

export interface UpdateRow {
  readonly table: string;
  readonly assignments: readonly Fragment[];
  readonly where: Fragment;
  readonly returning: readonly string[];
  readonly returningColumns: readonly Column[];
  readonly isStrict?: boolean;
  readonly options?: Table['options'];
}

/** For databases where the stored value depends on the value alone. */
export function plainAssignment(name: string, { value, type }: Param): Fragment {
  return sql`${name} = ${param(value, type)}`;
}
