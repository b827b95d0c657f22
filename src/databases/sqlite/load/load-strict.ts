import { StudioError } from '../../../model/errors.ts';
import { missingValue, replacedRow } from '../../../model/conflict-rules.ts';
import { sqliteDdl } from '../dialect/ddl.ts';
import type { InsertBatch } from '../../../model/load-dialect.ts';
import type { Table } from '../../../model/schema.ts';
import type { Row } from '../../../model/values.ts';
import type { Connection } from '../driver/driver.ts';

/** Writes one row under the table's own ON CONFLICT clauses, after the strict write failed. */
export interface PlainWrite<T> {
  readonly connection: Connection;
  readonly batch: InsertBatch;
  readonly values: Row;
  write(): T;
  /** The number of rows by which the table must have grown afterwards. */
  adds(result: T): number;
}

/**
 * A strict statement (`OR ABORT`) also overrides `OR IGNORE` and `OR REPLACE` in triggers. When the
 * error is about another table, a trigger could have failed for that reason alone. The row is then
 * written without `OR ABORT`, and kept if no other row of its table disappeared. Otherwise this
 * fails, and the caller's savepoint rolls back. For single rows see studio/rows/write/strict-write.ts.
 */
export function writeStrictly<T>(strict: () => T, plainWrite: PlainWrite<T>): T {
  try {
    return strict();
  } catch (error) {
    const { connection, batch, values } = plainWrite;
    const { table, columns } = batch;
    if (!isAboutOtherTable(error, table)) throw error;
    const missing = missingValue(table, new Map(columns.map((column, i) => [column, values[i]!])));
    if (missing !== undefined) throw missing;
    const before = countRows(connection, table);
    const result = plainWrite.write();
    if (countRows(connection, table) - before < plainWrite.adds(result)) throw replacedRow(table);
    return result;
  }
}

function isAboutOtherTable(error: unknown, { localName }: Table): boolean {
  if (!(error instanceof Error) || error instanceof StudioError) return false;
  const names = /^(?:UNIQUE|NOT NULL) constraint failed: (?!index ')(.*)$/s.exec(error.message);
  return names?.[1] !== undefined && !names[1].startsWith(`${localName}.`);
}

function countRows(connection: Connection, table: Table): number {
  const text = `SELECT count(*) FROM ${sqliteDdl.tableName(table)}`;
  return Number(connection.statement(text).all([], false)[0]?.[0]);
}
