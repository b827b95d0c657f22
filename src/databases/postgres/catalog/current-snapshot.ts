import { asFlag, catalogQuery, readCatalogRows } from '../../catalog-query.ts';
import type { Session } from '../../../model/database.ts';

/**
 * Relations that TRUNCATE or a statement that rewrites them has emptied for snapshots that are older
 * (https://www.postgresql.org/docs/current/mvcc-caveats.html), and those that are newer than the snapshot.
 * pg_class shows the file of a relation as of the snapshot, pg_relation_filenode the current one. The
 * locks are those of the relations that the transaction has read from, also through views and partitions.
 */
const outdated = `SELECT 1
  FROM pg_catalog.pg_locks l LEFT JOIN pg_catalog.pg_class c ON c.oid = l.relation
  WHERE l.pid = pg_catalog.pg_backend_pid() AND l.locktype = 'relation'
    AND l.database = (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname = current_database())
    AND (c.oid IS NULL
      OR (c.relfilenode <> 0 AND c.relfilenode <> pg_catalog.pg_relation_filenode(c.oid)))`;

const query = catalogQuery(
  { isCurrent: asFlag(`CASE WHEN EXISTS (${outdated}) THEN 0 ELSE 1 END`) },
  (selectList) => `SELECT ${selectList}`,
);

/** A query takes the snapshot of its transaction before it waits for the locks of its tables. */
export async function hasCurrentSnapshot(session: Session): Promise<boolean> {
  const [row] = await readCatalogRows(session, query);
  return row?.isCurrent === true;
}
