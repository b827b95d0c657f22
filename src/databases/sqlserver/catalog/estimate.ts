import { catalogQuery, asNumber, readCatalogRows, asText } from '../../catalog-query.ts';
import type { Session } from '../../../model/database.ts';
import type { Table } from '../../../model/schema.ts';

/** Row counts from partition statistics, without locks. Index 0 is the heap, 1 the clustered index. */
const tableRowsQuery = catalogQuery(
  {
    namespace: asText('SCHEMA_NAME(o.schema_id)'),
    localName: asText('o.name'),
    count: asNumber('SUM(p.rows)'),
  },
  (selectList) => `
SELECT ${selectList}
FROM sys.partitions p JOIN sys.objects o ON o.object_id = p.object_id
WHERE o.type = 'U' AND p.index_id IN (0, 1)
GROUP BY o.schema_id, o.name`,
);

export async function estimateTableRows(
  session: Session,
  tables: readonly Table[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await readCatalogRows(session, tableRowsQuery);
  const counts = new Map(rows.map((row) => [keyOf(row), row.count]));
  return new Map(
    tables.flatMap((table) => {
      const count = counts.get(keyOf(table));
      return count === undefined ? [] : [[table.name, count] as const];
    }),
  );
}

function keyOf({ namespace, localName }: Pick<Table, 'namespace' | 'localName'>): string {
  return JSON.stringify([namespace, localName]);
}
