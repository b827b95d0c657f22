/** Tables of the extension Citus, whose rows are in shards at the nodes of a cluster. */
import { asFlag, asText, catalogQuery, readCatalogRows } from '../../catalog-query.ts';
import { hasDistributedTables } from '../dialect/distributed-table.ts';
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
  { hasShards: asFlag(hasDistributedTables) },
  (selectList) => `SELECT ${selectList}`,
);

const shardQuery = catalogQuery(
  { table: asText('c.relname') },
  (selectList) => `SELECT ${selectList}
FROM pg_catalog.pg_dist_shard s JOIN pg_catalog.pg_class c ON c.oid = s.logicalrelid
WHERE s.shardid = substring($2::text FROM '\\d+$')::bigint
  AND pg_catalog.shard_name(s.logicalrelid, s.shardid) IN (pg_catalog.quote_ident($2), pg_catalog.format('%I.%I', $1::text, $2))`,
);

const shardIdQuery = catalogQuery(
  { table: asText('c.relname') },
  (selectList) => `SELECT ${selectList}
FROM pg_catalog.pg_dist_shard s JOIN pg_catalog.pg_class c ON c.oid = s.logicalrelid
WHERE s.shardid = $1::text::bigint`,
);

/** The name, without its schema, of the table that has a shard of this id. */
export async function readTableOfShardId(
  session: Session,
  id: string,
): Promise<string | undefined> {
  const [shard] = await readCatalogRows(session, shardIdQuery, { params: [id] });
  return shard?.table;
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
