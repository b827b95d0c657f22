/** Row counts of distributed tables. The planner at a coordinator of Citus has none: it assumes 100,000 rows. */
import { isTimeout } from '../../../model/errors.ts';
import { asNumber, asText, catalogQuery, readCatalogRows } from '../../catalog-query.ts';
import type { Session } from '../../../model/database.ts';
import type { Table } from '../../../model/schema.ts';

/** The parameter of queries with `requestedTree`. */
export function requestedTables(tables: readonly Table[]): string {
  return JSON.stringify(
    tables.map(({ name, namespace, localName }) => ({ name, namespace, local: localName })),
  );
}

/** Common table expressions of WITH RECURSIVE: `tree` has the requested tables with all of their children. */
export const requestedTree = `requested AS (
  SELECT t.name, c.oid FROM json_to_recordset($1::json) AS t(name text, namespace text, local text)
  JOIN pg_catalog.pg_namespace n ON n.nspname = t.namespace
  JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = t.local AND c.relkind IN ('r', 'p', 'm', 'f')
), tree AS (
  SELECT name, oid FROM requested
  UNION
  SELECT tree.name, i.inhrelid FROM tree JOIN pg_catalog.pg_inherits i ON i.inhparent = tree.oid
)`;

/** The estimate of each table of a node by the number that ends the names of shards, as one JSON object. */
const rowsAtNode = String.raw`SELECT COALESCE(pg_catalog.json_object_agg(shard, count), '{}') FROM (
  SELECT substring(c.relname FROM '_(\d+)$') AS shard, max(CASE
    WHEN c.relpages > 0 AND c.reltuples >= 0
      THEN c.reltuples / c.relpages * pg_catalog.pg_relation_size(c.oid) / current_setting('block_size')::int
    ELSE pg_catalog.pg_relation_size(c.oid) / 100
  END)::bigint AS count
  FROM pg_catalog.pg_class c WHERE c.relkind = 'r' AND c.relname ~ '_\d+$' GROUP BY 1
) AS shards`;

/** Each copy of a reference table has all rows. A node that does not respond has no result. */
const shardRowsQuery = catalogQuery(
  { name: asText('tree.name'), count: asNumber('sum(a.count)::bigint') },
  (selectList) => `
WITH RECURSIVE ${requestedTree}, at_nodes AS (
  SELECT e.key AS shard, max(e.value::bigint) AS count
  FROM pg_catalog.run_command_on_all_nodes($nodes$${rowsAtNode}$nodes$) AS n
  CROSS JOIN LATERAL pg_catalog.json_each_text(CASE WHEN n.success THEN n.result ELSE '{}' END::json) AS e
  GROUP BY 1
)
SELECT ${selectList} FROM tree
JOIN pg_catalog.pg_dist_shard s ON s.logicalrelid = tree.oid
JOIN at_nodes a ON a.shard = s.shardid::text
GROUP BY tree.name`,
);

/** A node that hangs would be waited for. */
const limitMs = 3000;

export async function estimateShardRows(
  session: Session,
  tables: readonly Table[],
): Promise<ReadonlyMap<string, number>> {
  try {
    const options = { params: [requestedTables(tables)], limitMs };
    const rows = await readCatalogRows(session, shardRowsQuery, options);
    return new Map(rows.map(({ name, count }) => [name, count]));
  } catch (error) {
    if (isTimeout(error)) return new Map();
    throw error;
  }
}

/** A statement in the output of EXPLAIN (FORMAT JSON). */
export interface ExplainedStatement {
  readonly Plan?: Plan;
}

interface Plan {
  readonly 'Plan Rows'?: number;
  readonly 'Distributed Query'?: {
    readonly Job?: {
      readonly 'Task Count'?: number;
      readonly Tasks?: readonly Task[];
    };
  };
}

interface Task {
  readonly 'Remote Plan'?: readonly (readonly ExplainedStatement[])[];
}

/**
 * The plan of a distributed query has those of some of its tasks, usually of one. Undefined for other plans.
 * https://docs.citusdata.com/en/stable/performance/performance_tuning.html
 */
export function rowsOfDistributedPlan({ 'Distributed Query': query }: Plan): number | undefined {
  if (query?.Job === undefined) return undefined;
  const { 'Task Count': count = 0, Tasks: tasks = [] } = query.Job;
  const found = tasks.flatMap(({ 'Remote Plan': plans = [] }) =>
    plans.flat().flatMap(({ Plan: plan }) => plan?.['Plan Rows'] ?? []),
  );
  if (found.length === 0) return count === 0 ? 0 : undefined;
  const sum = found.reduce((total, rows) => total + rows, 0);
  return Math.round((sum / found.length) * count);
}
