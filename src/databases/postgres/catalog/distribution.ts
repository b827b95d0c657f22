/** Tables of the extension Citus, whose rows are in shards at the nodes of a cluster. */
import { asText, catalogQuery, readCatalogRows } from '../../catalog-query.ts';
import type { Session } from '../../../model/database.ts';
import type { Table } from '../../../model/schema.ts';

/** Whether the database has the extension, as an expression. */
export const hasDistributedTables = `pg_catalog.to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL`;

/** https://docs.citusdata.com/en/stable/develop/api_metadata.html */
const distributionQuery = catalogQuery(
  {
    relation: asText('p.logicalrelid::oid::text'),
    distribution: asText(`CASE
  WHEN p.partmethod <> 'n' THEN 'distributed by ' || pg_catalog.column_to_column_name(p.logicalrelid, p.partkey)
  WHEN p.repmodel = 't' THEN 'reference'
  WHEN p.colocationid <> 0 THEN 'single shard'
  ELSE 'local'
END`),
  },
  (selectList) => `SELECT ${selectList} FROM pg_catalog.pg_dist_partition p`,
);

/** How Citus stores each of its tables, by the table's oid. */
export async function readDistributions(session: Session): Promise<ReadonlyMap<string, string>> {
  const rows = await readCatalogRows(session, distributionQuery);
  return new Map(rows.map(({ relation, distribution }) => [relation, distribution]));
}

/** Whether the rows of the table are in shards. */
export function isDistributed({ options }: Table): boolean {
  return options?.['distribution'] !== undefined;
}

/** Whether the rows may be at other nodes, which have snapshots of their own. */
export function isAtOtherNodes({ options }: Table): boolean {
  const distribution = options?.['distribution'];
  return distribution !== undefined && distribution !== 'local';
}
