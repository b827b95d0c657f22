import { arrayLiteral } from '../dialect/array-literal.ts';
import { postgresDdl } from '../dialect/ddl.ts';
import type { Session } from '../../../model/database.ts';
import type { RowChange } from '../../../model/load-dialect.ts';
import type { Table } from '../../../model/schema.ts';

/** The table and its partitions, in which rows of the table are stored. */
const stored = `stored(oid) AS (
  SELECT $1::regclass::oid
  UNION
  SELECT i.inhrelid FROM pg_catalog.pg_inherits i
  JOIN stored ON stored.oid = i.inhparent
  JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid AND c.relispartition
)`;

/** Bits of `tgtype`: https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_trigger.h */
const triggerBits: Readonly<Record<RowChange, number>> = { insert: 4, delete: 8, update: 16 };
/** Values of `ev_type`. */
const ruleEvents: Readonly<Record<RowChange, string>> = { update: '2', insert: '3', delete: '4' };

const triggersQuery = `
WITH RECURSIVE ${stored}
SELECT EXISTS (
  SELECT FROM pg_catalog.pg_trigger t JOIN stored ON stored.oid = t.tgrelid
  WHERE NOT t.tgisinternal AND t.tgenabled IN ('O', 'A') AND t.tgtype & $2::int <> 0
) OR EXISTS (
  SELECT FROM pg_catalog.pg_rewrite r
  WHERE r.ev_class = $1::regclass AND r.ev_enabled IN ('O', 'A') AND r.ev_type::text = ANY ($3::text[])
)`;

export async function runsTriggers(
  session: Session,
  table: Table,
  changes: readonly RowChange[],
): Promise<boolean> {
  const bits = changes.reduce((sum, change) => sum + triggerBits[change], 0);
  const events = `{${changes.map((change) => ruleEvents[change]).join(',')}}`;
  const params = [postgresDdl.tableName(table), bits, events];
  const { rows } = await session.run({ text: triggersQuery, params });
  return rows[0]?.[0] === true;
}

/**
 * `conkey` has 0 for an expression or the whole row. A generated column depends on others by its default
 * (since PostgreSQL 15), or by itself.
 */
const nullQuery = `
WITH RECURSIVE ${stored},
deferred AS (
  SELECT a.attrelid AS relation, a.attnum AS number, a.atttypid AS type
  FROM pg_catalog.pg_attribute a
  JOIN stored ON stored.oid = a.attrelid
  WHERE a.attname = ANY ($2::text[]) AND NOT a.attisdropped
)
SELECT row_security_active($1::regclass) OR EXISTS (
  SELECT FROM pg_catalog.pg_constraint k JOIN deferred d ON d.relation = k.conrelid
  WHERE k.contype IN ('c', 'x') AND (d.number = ANY (k.conkey) OR 0 = ANY (k.conkey))
    -- MATCH FULL rejects keys of which only some columns are NULL.
    OR k.contype = 'f' AND k.confmatchtype = 'f' AND d.number = ANY (k.conkey) AND cardinality(k.conkey) > 1
) OR EXISTS (
  SELECT FROM pg_catalog.pg_index i JOIN deferred d ON d.relation = i.indrelid
  WHERE d.number = ANY (i.indkey) AND to_jsonb(i) ->> 'indnullsnotdistinct' = 'true'
    OR (i.indexprs IS NOT NULL OR i.indpred IS NOT NULL) AND EXISTS (
      SELECT FROM pg_catalog.pg_depend n
      WHERE n.classid = 'pg_catalog.pg_class'::regclass AND n.objid = i.indexrelid
        AND n.refobjid = d.relation AND n.refobjsubid = d.number
    )
) OR EXISTS (
  SELECT FROM pg_catalog.pg_type t JOIN deferred d ON d.type = t.oid WHERE t.typtype = 'd'
) OR EXISTS (
  SELECT FROM deferred d
  JOIN pg_catalog.pg_depend n ON n.refobjid = d.relation AND n.refobjsubid = d.number
  LEFT JOIN pg_catalog.pg_attrdef f ON n.classid = 'pg_catalog.pg_attrdef'::regclass AND f.oid = n.objid
  WHERE n.refclassid = 'pg_catalog.pg_class'::regclass AND (
    f.adnum <> d.number
    OR n.classid = 'pg_catalog.pg_class'::regclass AND n.objid = d.relation AND n.objsubid NOT IN (0, d.number)
  )
) OR EXISTS (
  SELECT FROM pg_catalog.pg_partitioned_table p JOIN deferred d ON d.relation = p.partrelid
  WHERE d.number = ANY (p.partattrs) OR 0 = ANY (p.partattrs)
)`;

export async function mayRejectNull(
  session: Session,
  table: Table,
  columns: readonly string[],
): Promise<boolean> {
  const params = [postgresDdl.tableName(table), arrayLiteral(JSON.stringify(columns))];
  const { rows } = await session.run({ text: nullQuery, params });
  return rows[0]?.[0] === true;
}

/** Includes the triggers of constraints: keys of other tables, and unique keys. */
const pendingQuery = `
WITH RECURSIVE ${stored}
SELECT EXISTS (
  SELECT FROM pg_catalog.pg_trigger t JOIN stored ON stored.oid = t.tgrelid
  WHERE t.tgdeferrable AND t.tginitdeferred AND t.tgenabled IN ('O', 'A')
)`;

export async function mayLeavePendingTriggers(session: Session, table: Table): Promise<boolean> {
  const { rows } = await session.run({
    text: pendingQuery,
    params: [postgresDdl.tableName(table)],
  });
  return rows[0]?.[0] === true;
}
