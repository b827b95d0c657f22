import type { Column, Table } from './schema.ts';
import type { Value } from './values.ts';

/** Writes one value as a literal of SQL. */
export type EncodeLiteral = (value: Value) => string;

/** Statements around others. */
export interface Frame {
  readonly begin: readonly string[];
  readonly end: readonly string[];
}

/** What of a table a script fills. */
export interface ScriptTable {
  readonly table: Table;
  readonly columns: readonly Column[];
}

/**
 * How one database spells rows as a script of INSERTs, for its own command-line client too: pure
 * text and facts. Names go in raw. Every member is required of every database.
 */
export interface ScriptDialect {
  /**
   * The writer of a column's values, chosen once. A literal means the same value whatever the
   * session's settings, but for those that `frame` makes. Fails with `invalid_value` for a value that the
   * database cannot hold.
   */
  literal(column: Column): EncodeLiteral;
  /** What stands before the rows: `INSERT INTO t (a, b) VALUES`. */
  insertInto(target: ScriptTable): string;
  /** Rows that one INSERT takes. */
  readonly mostRows: number;
  /** Around the whole script: one transaction, and the settings that literals rely on. */
  readonly frame: Frame;
  /** Around the rows of a table. */
  around(target: ScriptTable): Frame;
  /** Moves a column that numbers its rows past those that were written; undefined where that moves by itself. */
  moveIdentity(target: ScriptTable, column: string): string | undefined;
  /** What ends a statement, its line break too. */
  readonly terminator: string;
}
