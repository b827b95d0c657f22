import { catalogQuery, asNumber, rowsByColumnName, asText } from '../../catalog-query.ts';
import { readUnlockedRows } from './catalog.ts';
import type { Query, Session } from '../../../model/database.ts';
import type { Table } from '../../../model/schema.ts';
import type { ServerInfo } from '../dialect/server-info.ts';

const tableRowsQuery = catalogQuery(
  { name: asText('table_name'), count: asNumber('table_rows') },
  (selectList) => `
SELECT ${selectList}
FROM information_schema.tables WHERE table_schema = DATABASE() AND table_rows IS NOT NULL`,
);

/** Row counts from the storage engine's statistics: exact for some engines, an estimate for InnoDB. */
export async function estimateTableRows(
  session: Session,
  tables: readonly Table[],
  server: ServerInfo,
): Promise<ReadonlyMap<string, number>> {
  const rows = await readUnlockedRows(session, tableRowsQuery, server);
  const counts = new Map(rows.map(({ name, count }) => [name, count]));
  return new Map(
    tables.flatMap(({ name, localName }) => {
      const count = counts.get(localName);
      return count === undefined ? [] : [[name, count] as const];
    }),
  );
}

/** The optimizer's estimate for a SELECT from one table: examined rows times the filtered percentage. */
export async function estimateResultRows(
  session: Session,
  query: Query,
  { isMariadb }: ServerInfo,
): Promise<number | undefined> {
  const explain = isMariadb ? 'EXPLAIN EXTENDED' : 'EXPLAIN FORMAT=TRADITIONAL';
  const { columns, rows } = await session.run({
    text: `${explain} ${query.text}`,
    params: query.params,
  });
  const [{ rows: examined = null, filtered = null } = {}] = rowsByColumnName(columns, rows);
  return examined === null
    ? undefined
    : Math.round((Number(examined) * Number(filtered ?? 100)) / 100);
}
