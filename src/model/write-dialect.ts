import { param, sql } from './fragment.ts';
import type { Fragment, Param } from './fragment.ts';
import type { Column, Table } from './schema.ts';
import type { Value } from './values.ts';

/** How one database spells the writing of single rows. Names come quoted. */
export interface WriteDialect {
  /** No columns means a row of defaults. `returning` is left out by a database that cannot tell. */
  insertRow(insert: InsertRow): Fragment;
  updateRow(update: UpdateRow): Fragment;
  /** `name = value` of an UPDATE. A value that is written back as it was read must not change in storage. */
  assignment(name: string, value: Param): Fragment;
  /** Whether INSERT tells `returning` of the row that it wrote. */
  readonly tellsNewRows: boolean;
  /** Whether UPDATE does. */
  readonly tellsWrittenRows: boolean;
  /** Keeps the rows of a SELECT for this transaction: a hint behind the table's name, a clause at the end. */
  readonly rowLock: { readonly hint: string; readonly clause: string };
  /** For tables whose rows `rowLock` does not keep from other writers; undefined where it does. */
  rowState(table: Table): RowState | undefined;
  /** Leaves foreign keys to the commit as far as the database can; undefined where it cannot. */
  readonly deferForeignKeys: string | undefined;
  /**
   * The database only counts violations of foreign keys: repairing a reference that dangled before
   * hides one that the same transaction breaks.
   */
  readonly countsBrokenKeys: boolean;
  /** The moment of a soft deletion, as the column keeps it. */
  currentTime(column: Column): Fragment;
}

/** Lets a statement write a row only in the state in which an earlier statement has read it. */
export interface RowState {
  /** Differs between any two states of a row. */
  readonly expression: string;
  /** Limits a condition on rows to those in this state. */
  narrow(where: Fragment, state: Value): Fragment;
}

export interface InsertRow {
  readonly table: string;
  readonly columns: readonly string[];
  readonly values: readonly Fragment[];
  /** The columns that `columns` names. */
  readonly assigned: readonly Column[];
  readonly returning: readonly string[];
  /** The columns that `returning` selects. */
  readonly told: readonly Column[];
  /** Every conflict is an error: see `Table.resolvesConflicts`. */
  readonly isStrict?: boolean;
}

export interface UpdateRow {
  readonly table: string;
  readonly assignments: readonly Fragment[];
  readonly where: Fragment;
  readonly returning: readonly string[];
  readonly told: readonly Column[];
  readonly isStrict?: boolean;
}

/** For databases where the stored value depends on the value alone. */
export function plainAssignment(name: string, { value, type }: Param): Fragment {
  return sql`${name} = ${param(value, type)}`;
}
