import { catalogQuery, asNumber, asText } from '../../catalog-query.ts';
import { sqliteDialect } from '../dialect/dialect.ts';
import type { Table } from '../../../model/schema.ts';
import type { Connection } from '../driver/driver.ts';

/** The counts of ANALYZE, or else the range of rowids, which is fast to read from a B-tree. Both may be inaccurate. */
export function estimateTableRows(
  connection: Connection,
  tables: readonly Table[],
): ReadonlyMap<string, number> {
  const analyzed = ifReadable(() => readStatistics(connection)) ?? new Map<string, number>();
  const estimates = new Map<string, number>();
  for (const table of tables) {
    const estimate =
      analyzed.get(table.name.toLowerCase()) ?? ifReadable(() => rowIdSpan(connection, table));
    if (estimate !== undefined) estimates.set(table.name, estimate);
  }
  return estimates;
}

/** A corrupt table has no estimate, but must not affect the others. */
function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The first number in `stat` is the row count of an index; a partial index has fewer rows than its table. */
function readStatistics(connection: Connection): ReadonlyMap<string, number> {
  const exists = `SELECT 1 FROM main.sqlite_schema WHERE name = 'sqlite_stat1'`;
  if (connection.statement(exists).all([], false).length === 0) return new Map();
  const rows = connection.prepare(statisticsQuery.text).all([], false);
  return new Map(
    rows.map(statisticsQuery.decodeRow).map(({ table, rows: count }) => [table, count]),
  );
}

const statisticsQuery = catalogQuery(
  { table: asText('lower(tbl)'), rows: asNumber('max(CAST(stat AS INTEGER))') },
  (selectList) => `SELECT ${selectList} FROM main.sqlite_stat1 GROUP BY lower(tbl)`,
);

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
