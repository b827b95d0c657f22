import { catalogQuery, asText } from '../../catalog-query.ts';
import { sqliteDdl } from '../dialect/ddl.ts';
import type { Table } from '../../../model/schema.ts';
import type { Connection } from '../driver/driver.ts';

/** Indexes that are dropped during the load of many rows, because creating them afterwards is faster. */
export interface RebuiltIndexes {
  /** Counts inserted rows, and drops a table's indexes when most of its rows are new. Returns whether it did. */
  countInserted(table: Table, inserted: number): boolean;
  /** Creates the dropped indexes again. */
  restore(): void;
}

interface InsertCount {
  inserted: number;
  /** The table's rows are counted again when this many were inserted. */
  nextCheckAt: number;
}

const firstCheckAt = 20_000;

export function createRebuiltIndexes(connection: Connection): RebuiltIndexes {
  const counts = new Map<string, InsertCount>();
  const droppedIndexes: Index[] = [];
  return {
    countInserted: (table, inserted) => {
      const counted = counts.get(table.name) ?? { inserted: 0, nextCheckAt: firstCheckAt };
      counts.set(table.name, counted);
      counted.inserted += inserted;
      if (counted.inserted < counted.nextCheckAt) return false;
      counted.nextCheckAt = counted.inserted * 2;
      if (!isMostlyNew(connection, table, counted.inserted)) return false;
      counted.nextCheckAt = Infinity;
      const indexes = dropIndexes(connection, table);
      droppedIndexes.push(...indexes);
      return indexes.length > 0;
    },
    restore: () => {
      for (const index of droppedIndexes.splice(0)) {
        if (!exists(connection, index)) connection.execute(index.sql);
      }
    },
  };
}

interface Index {
  readonly name: string;
  readonly sql: string;
}

function isMostlyNew(connection: Connection, table: Table, inserted: number): boolean {
  const text = `SELECT count(*) FROM ${sqliteDdl.tableName(table)}`;
  return Number(connection.prepare(text).all([], false)[0]?.[0]) <= 2 * inserted;
}

/** Indexes of tables with triggers stay, because triggers may need them. Dropping an index would also lose its statistics. */
const rebuildableIndexes = catalogQuery(
  { name: asText('s.name'), sql: asText('s.sql') },
  (selectList) => `
SELECT ${selectList} FROM pragma_index_list(?1) l JOIN main.sqlite_schema s ON s.type = 'index' AND s.name = l.name
WHERE NOT l."unique" AND NOT l.partial AND s.sql IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM pragma_index_info(l.name) WHERE cid < 0)
  AND NOT EXISTS (SELECT 1 FROM main.sqlite_schema WHERE type = 'trigger' AND tbl_name = ?1 COLLATE NOCASE)`,
);

function dropIndexes(connection: Connection, { localName }: Table): readonly Index[] {
  if (isAnalyzed(connection, localName)) return [];
  const rows = connection.prepare(rebuildableIndexes.text).all([{ 1: localName }], false);
  const indexes = rows.map(rebuildableIndexes.decodeRow);
  for (const { name } of indexes)
    connection.execute(`DROP INDEX main.${sqliteDdl.quoteName(name)}`);
  return indexes;
}

function isAnalyzed(connection: Connection, table: string): boolean {
  const hasStatistics = connection.prepare(
    "SELECT 1 FROM main.sqlite_schema WHERE name = 'sqlite_stat1'",
  );
  if (hasStatistics.all([], false).length === 0) return false;
  const text = 'SELECT 1 FROM main.sqlite_stat1 WHERE tbl = ? COLLATE NOCASE LIMIT 1';
  return connection.prepare(text).all([table], false).length > 0;
}

/** A rollback to a savepoint may have restored the index. */
function exists(connection: Connection, { name }: Index): boolean {
  const text = "SELECT 1 FROM main.sqlite_schema WHERE type = 'index' AND name = ?";
  return connection.prepare(text).all([name], false).length > 0;
}
