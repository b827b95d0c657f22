/** Tables of the extension Citus, whose rows are in shards at the nodes of a cluster. */
import { asFlag, asText, catalogQuery, readCatalogRows } from '../../catalog-query.ts';
import { hasCitus } from '../dialect/distributed-table.ts';
import type { ShardedName } from '../dialect/shard-names.ts';
import type { Session } from '../../../model/database.ts';

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

const extensionQuery = catalogQuery(
  { hasShards: asFlag(hasCitus) },
  (selectList) => `SELECT ${selectList}`,
);

const shardQuery = catalogQuery(
  { table: asText('c.relname') },
  (selectList) => `SELECT ${selectList}
FROM pg_catalog.pg_dist_shard s JOIN pg_catalog.pg_class c ON c.oid = s.logicalrelid
WHERE s.shardid = substring($2::text FROM '\\d+$')::bigint
  AND pg_catalog.shard_name(s.logicalrelid, s.shardid) IN (pg_catalog.quote_ident($2), pg_catalog.format('%I.%I', $1::text, $2))`,
);

const shardNamesQuery = catalogQuery(
  {
    name: asText('n.name'),
    hash: asText(`pg_catalog.lpad(pg_catalog.to_hex(pg_catalog.hashtext(n.name)), 8, '0')`),
  },
  (selectList) => `SELECT ${selectList}
FROM pg_catalog.pg_dist_shard s JOIN pg_catalog.pg_class c ON c.oid = s.logicalrelid CROSS JOIN LATERAL (
  SELECT 0, c.relname::text
  UNION ALL SELECT 1, x.relname::text FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid WHERE i.indrelid = c.oid
  UNION ALL SELECT 2, k.conname::text FROM pg_catalog.pg_constraint k WHERE k.conrelid = c.oid
) n (rank, name)
WHERE s.shardid = $1::text::bigint
ORDER BY n.rank`,
);

/** The table, without its schema, that has a shard of this id, and its indexes and constraints. Empty if there is none. */
export function readNamesOfShardId(session: Session, id: string): Promise<readonly ShardedName[]> {
  return readCatalogRows(session, shardNamesQuery, { params: [id] });
}

/** The name, without its schema, of the table that a shard belongs to; undefined if it is no shard. */
export async function readTableOfShard(
  session: Session,
  schema: string,
  name: string,
): Promise<string | undefined> {
  const [extension] = await readCatalogRows(session, extensionQuery);
  if (extension?.hasShards !== true) return undefined;
  const [shard] = await readCatalogRows(session, shardQuery, { params: [schema, name] });
  return shard?.table;
}
