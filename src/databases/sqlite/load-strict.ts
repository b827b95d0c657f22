import { StudioError } from '../../model/errors.ts';
import { missingValue, replacedRow } from '../../model/conflict-rules.ts';
import { sqliteDdl } from './ddl.ts';
import type { InsertBatch } from '../../model/load-dialect.ts';
import type { Table } from '../../model/schema.ts';
import type { Row } from '../../model/values.ts';
import type { Connection } from './driver.ts';

/** The write of one row by the table's own rules of conflicts, in place of a strict one that failed. */
export interface PlainWrite<T> {
  readonly connection: Connection;
  readonly batch: InsertBatch;
  readonly values: Row;
  write(): T;
  /** How many more rows the table has to have when it is done. */
  adds(result: T): number;
}

/**
 * A strict statement (`OR ABORT`) also overrides `OR IGNORE` and the like in the statements of
 * triggers. Where one of those could be what failed, the row is written as the table's rules say,
 * and that stands when no other row has gone. Otherwise the caller's savepoint takes it back.
 */
export function writeStrictly<T>(strict: () => T, plain: PlainWrite<T>): T {
  try {
    return strict();
  } catch (error) {
    const { connection, batch, values } = plain;
    const { table, columns } = batch;
    if (!isElsewhere(error, table)) throw error;
    const missing = missingValue(table, new Map(columns.map((column, i) => [column, values[i]!])));
    if (missing !== undefined) throw missing;
    const before = countAll(connection, table);
    const result = plain.write();
    if (countAll(connection, table) - before < plain.adds(result)) throw replacedRow(table);
    return result;
  }
}

function isElsewhere(error: unknown, { localName }: Table): boolean {
  if (!(error instanceof Error) || error instanceof StudioError) return false;
  const names = /^(?:UNIQUE|NOT NULL) constraint failed: (?!index ')(.*)$/s.exec(error.message);
  return names?.[1] !== undefined && !names[1].startsWith(`${localName}.`);
}

function countAll(connection: Connection, table: Table): number {
  const text = `SELECT count(*) FROM ${sqliteDdl.tableName(table)}`;
  return Number(connection.statement(text).all([], false)[0]?.[0]);
}
