import { sqliteDdl } from '../dialect/ddl.ts';
import type { Table } from '../../../model/schema.ts';
import type { Connection } from '../driver/driver.ts';

/** Indexes that are made again as a whole when many rows have come. */
export interface SpareIndexes {
  /** Tells of rows that were inserted; drops the indexes of a table that is mostly new, and returns whether it did. */
  note(table: Table, inserted: number): boolean;
  /** Makes again what was dropped. */
  restore(): void;
}

interface Counted {
  inserted: number;
  /** As many are inserted before the next look. */
  judgedAt: number;
}

const firstLook = 20_000;

export function createSpareIndexes(connection: Connection): SpareIndexes {
  const counts = new Map<string, Counted>();
  const dropped: Index[] = [];
  return {
    note: (table, inserted) => {
      const counted = counts.get(table.name) ?? { inserted: 0, judgedAt: firstLook };
      counts.set(table.name, counted);
      counted.inserted += inserted;
      if (counted.inserted < counted.judgedAt) return false;
      counted.judgedAt = counted.inserted * 2;
      if (!isMostlyNew(connection, table, counted.inserted)) return false;
      counted.judgedAt = Infinity;
      const indexes = dropIndexes(connection, table);
      dropped.push(...indexes);
      return indexes.length > 0;
    },
    restore: () => {
      for (const index of dropped.splice(0)) {
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

/** Triggers may look by an index; dropping one would lose what ANALYZE has found of it. */
const plainIndexes = `
SELECT s.name, s.sql FROM pragma_index_list(?1) l JOIN main.sqlite_schema s ON s.type = 'index' AND s.name = l.name
WHERE NOT l."unique" AND NOT l.partial AND s.sql IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM pragma_index_info(l.name) WHERE cid < 0)
  AND NOT EXISTS (SELECT 1 FROM main.sqlite_schema WHERE type = 'trigger' AND tbl_name = ?1 COLLATE NOCASE)`;

function dropIndexes(connection: Connection, { localName }: Table): readonly Index[] {
  if (isAnalyzed(connection, localName)) return [];
  const rows = connection.prepare(plainIndexes).all([{ 1: localName }], false);
  const indexes = rows.map(([name, sql]) => ({ name: String(name), sql: String(sql) }));
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

/** A part of the transaction that was undone has brought it back. */
function exists(connection: Connection, { name }: Index): boolean {
  const text = "SELECT 1 FROM main.sqlite_schema WHERE type = 'index' AND name = ?";
  return connection.prepare(text).all([name], false).length > 0;
}
