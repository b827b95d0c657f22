import { sqliteDialect } from '../dialect/dialect.ts';
import type { Table } from '../../../model/schema.ts';
import type { Connection } from '../driver/driver.ts';

/** ANALYZE's counts where there are any, else the span of rowids, which ends of a B-tree tell; both may be off. */
export function estimateRows(
  connection: Connection,
  tables: readonly Table[],
): ReadonlyMap<string, number> {
  const analyzed = ifReadable(() => readAnalyzed(connection)) ?? new Map<string, number>();
  const estimates = new Map<string, number>();
  for (const table of tables) {
    const estimate =
      analyzed.get(table.name.toLowerCase()) ?? ifReadable(() => rowIdSpan(connection, table));
    if (estimate !== undefined) estimates.set(table.name, estimate);
  }
  return estimates;
}

/** A damaged table has no estimate, which is no reason for others to have none. */
function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The first number of `stat` counts the rows of an index; a partial index has fewer than its table. */
function readAnalyzed(connection: Connection): ReadonlyMap<string, number> {
  const exists = `SELECT 1 FROM main.sqlite_schema WHERE name = 'sqlite_stat1'`;
  if (connection.statement(exists).all([], false).length === 0) return new Map();
  const counts = 'SELECT lower(tbl), max(CAST(stat AS INTEGER)) FROM main.sqlite_stat1 GROUP BY 1';
  const rows = connection.prepare(counts).all([], false);
  return new Map(rows.map(([name, count]) => [String(name), Number(count)]));
}

function rowIdSpan(connection: Connection, table: Table): number | undefined {
  const column =
    table.rowIdColumn ?? table.columns.find(({ autoIncrement }) => autoIncrement === true)?.name;
  if (column === undefined || table.kind !== 'table' || table.options?.['VIRTUAL'] !== undefined)
    return undefined;
  const name = sqliteDialect.quoteName(column);
  const from = sqliteDialect.tableName(table);
  const text = `SELECT (SELECT max(${name}) FROM ${from}) - (SELECT min(${name}) FROM ${from}) + 1`;
  return Number(connection.prepare(text).all([], false)[0]?.[0] ?? 0);
}
