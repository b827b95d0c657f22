import type { Column, Table } from './schema.ts';
import type { Value } from './values.ts';

/** Formats a value as an SQL literal. */
export type EncodeLiteral = (value: Value) => string;

/** Statements before and after others. */
export interface Frame {
  readonly begin: readonly string[];
  readonly end: readonly string[];
}

/** A table, and its columns that a script inserts. */
export interface ScriptTable {
  readonly table: Table;
  readonly columns: readonly Column[];
}

/** The next value of a numbered column. */
export interface NextValue {
  readonly table: Table;
  readonly column: Column;
  readonly value: bigint;
  /** The table has rows. */
  readonly hasRows: boolean;
  /** The script is for the database that the table comes from. */
  readonly isOwn: boolean;
}

/**
 * Renders a script of INSERT statements for one database, which its command-line client accepts too.
 * Names are passed unquoted. Part of the capability `script`.
 */
export interface ScriptDialect {
  /**
   * Returns the formatter for a column's values. Apart from the settings in `frame`, a literal does not
   * depend on the session's settings. Fails with `invalid_value` for a value that the database cannot store.
   */
  literal(column: Column): EncodeLiteral;
  /** The text before the rows: `INSERT INTO t (a, b) VALUES`. */
  insertInto(target: ScriptTable): string;
  /** The maximum number of rows in one INSERT. */
  readonly maxRows: number;
  /** Surrounds the whole script: one transaction, and the settings that literals depend on. */
  readonly frame: Frame;
  /** Surrounds the rows of one table. */
  tableFrame(target: ScriptTable): Frame;
  /** Advances an identity past the inserted keys; undefined if the database does so itself. */
  advanceIdentity(target: ScriptTable, column: string): string | undefined;
  /** Sets the next value of a numbered column, after the rows. */
  setNextValue(target: NextValue): readonly string[];
  /** Terminates a statement, including its line break. */
  readonly terminator: string;
}
