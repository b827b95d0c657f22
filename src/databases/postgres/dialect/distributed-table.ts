/** What the options of a table say about Citus, which may keep its rows at other nodes. */
import type { Table } from '../../../model/schema.ts';

/** Whether the database has the extension, as an expression. */
export const hasCitus = `pg_catalog.to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL`;

const extensions: ReadonlySet<string> = new Set(['citus', 'citus_columnar']);

/** Whether the extension only changes how tables are stored. The studio creates ordinary tables, which do not need it. */
export function isStorageExtension(name: string): boolean {
  return extensions.has(name);
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

/**
 * Citus writes to a distributed table by several connections to each node, and then to no reference table in the same
 * transaction. Other servers accept the setting too, without an effect.
 */
export const oneConnectionPerNode = "SET LOCAL citus.multi_shard_modify_mode TO 'sequential'";
