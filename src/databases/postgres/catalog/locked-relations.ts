import { StudioError } from '../../../model/errors.ts';
import { serverError } from '../dialect/errors.ts';
import { catalogQuery, asText } from '../../catalog-query.ts';
import type { RowOf } from '../../catalog-query.ts';

/**
 * Relations on which another session holds or awaits ACCESS EXCLUSIVE. Reading one of them would wait,
 * because lock requests are queued. Locks of prepared transactions have no pid.
 */
export const lockedRelations = `SELECT DISTINCT l.relation FROM pg_catalog.pg_locks l
  WHERE l.mode = 'AccessExclusiveLock' AND l.relation IS NOT NULL AND l.pid IS DISTINCT FROM pg_backend_pid()
    AND l.database = (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname = current_database())`;

/**
 * Relations whose definitions cannot be read without waiting, each with the name of a locked
 * relation. The functions that return the text of an expression lock its relation. Those that
 * return the text of a view also lock the relations that the view names.
 */
export const concealedQuery = catalogQuery(
  { oid: asText('oid::text'), lockedRelation: asText('MIN(locked::regclass::text)') },
  (selectList) => `
WITH locked AS MATERIALIZED (${lockedRelations}), concealed AS (
  SELECT k.relation AS oid, k.relation AS locked FROM locked k
  WHERE EXISTS (SELECT FROM pg_catalog.pg_attrdef d WHERE d.adrelid = k.relation)
    OR EXISTS (SELECT FROM pg_catalog.pg_constraint o WHERE o.conrelid = k.relation AND o.contype IN ('c', 'x'))
    OR EXISTS (SELECT FROM pg_catalog.pg_index x WHERE x.indrelid = k.relation AND (x.indexprs IS NOT NULL OR x.indpred IS NOT NULL))
    OR EXISTS (SELECT FROM pg_catalog.pg_class c WHERE c.oid = k.relation AND c.relkind IN ('p', 'v', 'm'))
  UNION ALL
  SELECT r.ev_class, k.relation FROM locked k
  JOIN pg_catalog.pg_depend d ON d.refobjid = k.relation AND d.refclassid = 'pg_catalog.pg_class'::regclass
    AND d.classid = 'pg_catalog.pg_rewrite'::regclass
  JOIN pg_catalog.pg_rewrite r ON r.oid = d.objid
  JOIN pg_catalog.pg_class c ON c.oid = r.ev_class AND c.relkind IN ('v', 'm')
)
SELECT ${selectList} FROM concealed GROUP BY oid`,
);

/** Why the structure of a relation is incomplete, by its oid. */
export type ConcealedRelations = ReadonlyMap<string, string>;

export function readConcealed(rows: readonly RowOf<typeof concealedQuery>[]): ConcealedRelations {
  return new Map(
    rows.map(({ oid, lockedRelation }) => [
      oid,
      `Another session holds or awaits an ACCESS EXCLUSIVE lock on ${lockedRelation}, so defaults, checks, expressions and definitions that need it cannot be read.`,
    ]),
  );
}

/** The parameter of queries that omit concealed relations: their oids as an array literal. */
export function oidArray(concealed: ConcealedRelations): string {
  return `{${[...concealed.keys()].join(',')}}`;
}

/** Whether a statement gave up waiting for a lock. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof StudioError
    ? error.code === 'database_busy'
    : serverError(error)?.code === '55P03';
}
