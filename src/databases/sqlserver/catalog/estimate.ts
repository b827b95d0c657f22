import type { Session } from '../../../model/database.ts';
import type { Table } from '../../../model/schema.ts';

/** Row counts from partition statistics, without locks. Index 0 is the heap, 1 the clustered index. */
const rowsOfTables = `
SELECT SCHEMA_NAME(o.schema_id), o.name, SUM(p.rows)
FROM sys.partitions p JOIN sys.objects o ON o.object_id = p.object_id
WHERE o.type = 'U' AND p.index_id IN (0, 1)
GROUP BY o.schema_id, o.name`;

export async function estimateTableRows(
  session: Session,
  tables: readonly Table[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await session.run({ text: rowsOfTables, params: [] });
  const counts = new Map(
    rows.map(([namespace, name, count]) => [keyOf(namespace, name), Number(count)]),
  );
  return new Map(
    tables.flatMap((table) => {
      const count = counts.get(keyOf(table.namespace, table.localName));
      return count === undefined ? [] : [[table.name, count] as const];
    }),
  );
}

function keyOf(namespace: unknown, name: unknown): string {
  return JSON.stringify([namespace, name]);
}
