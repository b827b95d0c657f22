import { catalogQuery, readCatalogRows, asText } from '../../catalog-query.ts';
import { hasCitus } from '../dialect/distributed-table.ts';
import type { Session } from '../../../model/database.ts';
import type { Table } from '../../../model/schema.ts';

/** Hashes the ids (xmin) of the transactions that last wrote the rows of a catalog. */
const transactionIds = (row: string, id: string): string =>
  `pg_catalog.concat(COUNT(*), ':', SUM(pg_catalog.hashtextextended(${row}.xmin::text, ${id})))`;

const columns = transactionIds('a', 'a.attrelid::bigint * 2048 + a.attnum');
const indexes = transactionIds('x', 'x.indexrelid::bigint');

/** Identifies the definition of a relation (`c` in pg_class): its oid, kind, columns and indexes. */
export const revision = `pg_catalog.concat_ws(' ', c.oid, c.relkind,
  (SELECT ${columns} FROM pg_catalog.pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0),
  (SELECT ${indexes} FROM pg_catalog.pg_index x WHERE x.indrelid = c.oid))`;

const revisionQuery = catalogQuery(
  { revision: asText(revision) },
  (selectList) => `SELECT ${selectList}
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = $1 AND c.relname = $2`,
);

export async function revisionOf(
  session: Session,
  { namespace = '', localName }: Table,
): Promise<string | undefined> {
  const [row] = await readCatalogRows(session, revisionQuery, { params: [namespace, localName] });
  return row?.revision;
}

const counted = (catalog: string, id: string, where: string): string =>
  `(SELECT ${transactionIds('r', id)} FROM pg_catalog.${catalog} r WHERE ${where})`;

/** FirstNormalObjectId: lower oids are built-in objects. */
const firstOid = 16_384;

const ofCatalog = (catalog: string, where = 'true'): string =>
  counted(catalog, 'r.oid::bigint', `r.oid >= ${firstOid} AND ${where}`);

/** Temporary tables are ignored, because some sessions create them all the time. */
const isNotTemporary = (relation: string): string =>
  `${relation} NOT IN (SELECT t.oid FROM pg_catalog.pg_class t WHERE t.relpersistence = 't')`;

const lastingNamespace = `!~ '^pg_(toast_)?temp_'`;

/** Catalogs of objects through which a read calls functions, and that introspection does not read. */
const catalogsOfCalls = ['pg_policy', 'pg_cast', 'pg_operator', 'pg_amproc', 'pg_statistic_ext'];

/**
 * Everything that introspection depends on. TRUNCATE and the like update pg_class, so only the columns of
 * pg_class that introspection reads are included.
 */
const structureHash = `pg_catalog.concat_ws(' ',
  (SELECT pg_catalog.concat(COUNT(*), ':', SUM(pg_catalog.hashtextextended(pg_catalog.concat_ws(' ', c.relname,
    c.relnamespace, c.relkind, c.relpersistence, c.relrowsecurity, c.relforcerowsecurity, c.relispartition, c.relowner, c.relacl, c.reloptions),
    c.oid::bigint))) FROM pg_catalog.pg_class c WHERE c.oid >= ${firstOid} AND c.relpersistence <> 't'),
  ${counted('pg_attribute', 'r.attrelid::bigint * 2048 + r.attnum', `r.attrelid >= ${firstOid} AND r.attnum > 0 AND ${isNotTemporary('r.attrelid')}`)},
  ${counted('pg_index', 'r.indexrelid::bigint', `r.indexrelid >= ${firstOid} AND ${isNotTemporary('r.indrelid')}`)},
  ${ofCatalog('pg_attrdef', isNotTemporary('r.adrelid'))},
  ${ofCatalog('pg_constraint', isNotTemporary('r.conrelid'))},
  ${ofCatalog('pg_type', `r.typnamespace NOT IN (SELECT n.oid FROM pg_catalog.pg_namespace n WHERE NOT n.nspname ${lastingNamespace})`)},
  ${['pg_rewrite', 'pg_enum', 'pg_proc', 'pg_extension', 'pg_foreign_server', ...catalogsOfCalls].map((name) => ofCatalog(name)).join(',\n  ')},
  ${counted('pg_namespace', 'r.oid::bigint', `r.nspname ${lastingNamespace}`)},
  ${counted('pg_inherits', 'r.inhrelid::bigint', 'true')},
  ${counted('pg_foreign_table', 'r.ftrelid::bigint', 'true')},
  ${counted('pg_partitioned_table', 'r.partrelid::bigint', 'true')},
  ${counted('pg_description', 'r.objoid::bigint * 2048 + r.objsubid', `r.objoid >= ${firstOid}`)},
  ${counted('pg_auth_members', 'r.roleid::bigint * 4294967296 + r.member::bigint', 'true')},
  (SELECT pg_catalog.concat_ws(' ', r.oid, r.rolsuper, r.rolinherit) FROM pg_catalog.pg_roles r WHERE r.rolname = current_user))`;

/** Which tables are distributed changes no other catalog. The text of the query is run only if there is its table. */
const distributionHash = `CASE WHEN ${hasCitus} THEN pg_catalog.query_to_xml(
    'SELECT ${transactionIds('p', 'p.logicalrelid::oid::bigint').replaceAll("'", "''")} FROM pg_catalog.pg_dist_partition p',
    false, false, '')::text END`;

/** Settings of new sessions. A change does not affect open sessions. */
const sessionDefaults = `(SELECT pg_catalog.string_agg(pg_catalog.concat_ws(' ', s.setdatabase, s.setrole, s.setconfig), ' '
    ORDER BY s.setdatabase, s.setrole)
  FROM pg_catalog.pg_db_role_setting s
  WHERE s.setdatabase IN (0, (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname = current_database()))
    AND s.setrole IN (0, (SELECT r.oid FROM pg_catalog.pg_roles r WHERE r.rolname = session_user)))`;

/** Empty on a standby, whose snapshots do not show transactions of the primary. */
const snapshotQuery = catalogQuery(
  {
    snapshot: asText(
      `CASE WHEN pg_catalog.pg_is_in_recovery() THEN '' ELSE pg_catalog.pg_current_snapshot()::text END`,
    ),
  },
  (selectList) => `SELECT ${selectList}`,
);

const versionQuery = catalogQuery(
  {
    catalog: asText(`pg_catalog.concat_ws(' ', ${structureHash}, ${distributionHash})`),
    defaults: asText(sessionDefaults),
  },
  (selectList) => `SELECT ${selectList}`,
);

export interface StructureVersion {
  readonly catalog: string;
  /** Changes when new sessions get other settings, such as another search_path. */
  readonly defaults: string;
}

interface CachedVersion extends StructureVersion {
  /** While the snapshot is the same, nothing was committed. */
  readonly snapshot: string;
}

/** Reads the version of the whole structure, which is fast while nothing is committed. */
export function createVersionReader(): (session: Session) => Promise<StructureVersion> {
  let last: CachedVersion | undefined;
  return async (session) => {
    const limit = { limitMs: versionLimitMs };
    const [found] = await readCatalogRows(session, snapshotQuery, limit);
    const snapshot = found?.snapshot ?? '';
    if (snapshot !== '' && snapshot === last?.snapshot) return last;
    const [version = { catalog: '', defaults: '' }] = await readCatalogRows(
      session,
      versionQuery,
      limit,
    );
    last = { snapshot, ...version };
    return last;
  };
}

const versionLimitMs = 10_000;
