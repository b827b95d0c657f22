import { catalogQuery, asNumber, readCatalogRows, asText } from '../../catalog-query.ts';
import { isDistributed } from '../dialect/distributed-table.ts';
import {
  estimateShardRows,
  requestedTables,
  requestedTree,
  rowsOfDistributedPlan,
} from './estimate-shards.ts';
import { lockedRelations } from './locked-relations.ts';
import type { ExplainedStatement } from './estimate-shards.ts';
import type { Query, Session } from '../../../model/database.ts';
import type { Table } from '../../../model/schema.ts';

/**
 * Estimates row counts as the planner does: the density at the last ANALYZE times the current
 * number of pages. For tables that were never analyzed it is a guess by size. The count of a parent
 * includes all of its children. Reading the size of a table that is locked against reading would
 * wait for the lock, so its number of pages at the last ANALYZE is used.
 */
const tableRowsQuery = catalogQuery(
  {
    name: asText('name'),
    count: asNumber(`sum(CASE
  WHEN relkind = 'p' THEN 0
  WHEN relkind = 'f' THEN greatest(reltuples, 0)
  WHEN relpages > 0 AND reltuples >= 0 THEN reltuples / relpages * bytes / current_setting('block_size')::int
  ELSE bytes / 100
END)::bigint`),
  },
  (selectList) => `
WITH RECURSIVE ${requestedTree}, locked AS (
  ${lockedRelations}
), sized AS (
  SELECT tree.name, c.reltuples, c.relpages, c.relkind,
    CASE WHEN c.relkind NOT IN ('r', 'm') THEN 0
      WHEN c.oid IN (SELECT relation FROM locked) THEN c.relpages::bigint * current_setting('block_size')::int
      ELSE pg_catalog.pg_relation_size(c.oid)
    END AS bytes
  FROM tree JOIN pg_catalog.pg_class c ON c.oid = tree.oid
)
SELECT ${selectList} FROM sized GROUP BY name`,
);

export async function estimateTableRows(
  session: Session,
  tables: readonly Table[],
): Promise<ReadonlyMap<string, number>> {
  const params = [requestedTables(tables)];
  const rows = await readCatalogRows(session, tableRowsQuery, { params });
  const counts = new Map(rows.map(({ name, count }) => [name, count]));
  const distributed = tables.filter(isDistributed);
  if (distributed.length === 0) return counts;
  for (const { name } of distributed) counts.delete(name);
  return new Map([...counts, ...(await estimateShardRows(session, distributed))]);
}

/** The planner's row estimate for a SELECT. */
export async function estimateResultRows(
  session: Session,
  query: Query,
): Promise<number | undefined> {
  const { rows } = await session.run({
    text: `EXPLAIN (FORMAT JSON) ${query.text}`,
    params: query.params,
  });
  const [explained] = JSON.parse(String(rows[0]?.[0])) as readonly ExplainedStatement[];
  const plan = explained?.Plan;
  return plan && (rowsOfDistributedPlan(plan) ?? plan['Plan Rows']);
}
