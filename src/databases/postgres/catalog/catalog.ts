import {
  catalogQuery,
  asFlag,
  asJson,
  asNumber,
  asOptionalText,
  asText,
} from '../../catalog-query.ts';
import { defaultNamespace } from './portable-names.ts';
import { hasCitus } from '../dialect/distributed-table.ts';
import { revision } from './revision.ts';
import type { CatalogQuery, CatalogRow, RowOf } from '../../catalog-query.ts';

/**
 * Catalog queries of the introspection. They do not use information_schema, which shows keys to owners
 * only. Objects that the role cannot read are omitted. No query waits for a lock: queries for expressions
 * skip the relations that `concealedQuery` returns.
 */

export const userSchemas = `n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_(toast|temp)'`;

export const serverQuery = catalogQuery(
  {
    database: asText('current_database()'),
    version: asText(`current_setting('server_version')`),
    defaultNamespace: asText(defaultNamespace),
    versionNumber: asNumber(`current_setting('server_version_num')::integer`),
    hasCitus: asFlag(hasCitus),
  },
  (selectList) => `SELECT ${selectList}`,
);

const isConcealed = (oid: string): string => `${oid} = ANY ($1::oid[])`;

/** Partitions are not listed; the partitioned table counts as one table. */
const visibleRelations = `
  SELECT c.oid, c.relname, c.relkind, c.relacl, n.nspname,
    pg_catalog.has_table_privilege(c.oid, 'SELECT') AS all_columns
  FROM pg_catalog.pg_class c
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND ${userSchemas}
    AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
    AND (pg_catalog.has_table_privilege(c.oid, 'SELECT') OR pg_catalog.has_any_column_privilege(c.oid, 'SELECT'))`;

/** Without the definitions of concealed relations. */
const relationColumns = {
  oid: asText('c.oid::text'),
  namespace: asText('n.nspname'),
  localName: asText('c.relname'),
  kind: asText('c.relkind'),
  comment: asOptionalText(`pg_catalog.obj_description(c.oid, 'pg_class')`),
  definition: asOptionalText(
    `CASE WHEN c.relkind IN ('v', 'm') AND NOT ${isConcealed('c.oid')} THEN pg_catalog.pg_get_viewdef(c.oid) END`,
  ),
  partitioning: asOptionalText(
    `CASE WHEN c.relkind = 'p' AND NOT ${isConcealed('c.oid')} THEN pg_catalog.pg_get_partkeydef(c.oid) END`,
  ),
  parents: asOptionalText(
    `(SELECT string_agg(i.inhparent::regclass::text, ', ' ORDER BY i.inhseqno) FROM pg_catalog.pg_inherits i WHERE i.inhrelid = c.oid)`,
  ),
  foreignServer: asOptionalText(
    `(SELECT s.srvname FROM pg_catalog.pg_foreign_table t JOIN pg_catalog.pg_foreign_server s ON s.oid = t.ftserver WHERE t.ftrelid = c.oid)`,
  ),
  extension: asOptionalText(
    `(SELECT e.extname FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_extension e ON e.oid = d.refobjid
      WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e'
        AND d.refclassid = 'pg_catalog.pg_extension'::regclass)`,
  ),
  rowSecurity: asOptionalText(
    `CASE WHEN c.relforcerowsecurity THEN 'forced' WHEN c.relrowsecurity THEN 'enabled' END`,
  ),
  /** Options that the dialect's `createView` renders, in the form that it expects. */
  viewOptions: asJson<Readonly<Record<string, string>>>(`(
    SELECT json_object_agg(o.option_name, CASE o.option_name WHEN 'check_option' THEN lower(o.option_value) ELSE o.option_value::boolean::text END)::text
    FROM pg_catalog.pg_options_to_table(c.reloptions) o WHERE c.relkind = 'v' AND o.option_name IN ('check_option', 'security_barrier', 'security_invoker'))`),
  isUnlogged: asFlag(`c.relpersistence = 'u'`),
  exclusionConstraints: asOptionalText(`(
    SELECT string_agg('CONSTRAINT ' || pg_catalog.quote_ident(k.conname) || ' ' || pg_catalog.pg_get_constraintdef(k.oid), E',\\n  ' ORDER BY k.conname)
    FROM pg_catalog.pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'x' AND NOT ${isConcealed('k.conrelid')})`),
  hasChildren: asFlag(
    `c.relhassubclass AND EXISTS (SELECT FROM pg_catalog.pg_inherits i WHERE i.inhparent = c.oid)`,
  ),
  /** Whether tableoid and ctid identify each of its rows. */
  hasLocators: asFlag(
    `c.oid IN (SELECT tree.root FROM tree) AND c.oid NOT IN (SELECT u.root FROM unlocated u)`,
  ),
  /** Whether INSTEAD rules replace writes. */
  redirectsWrites: asFlag(
    `c.relhasrules AND EXISTS (SELECT FROM pg_catalog.pg_rewrite r WHERE r.ev_class = c.oid AND r.is_instead AND r.ev_type <> '1' AND r.ev_enabled IN ('O', 'A'))`,
  ),
};

export const relationsQuery = catalogQuery(
  relationColumns,
  (selectList) => `
WITH RECURSIVE tree(root, oid) AS (
  SELECT v.oid, v.oid FROM (${visibleRelations}) AS v WHERE v.relkind IN ('r', 'p', 'm') AND v.all_columns
  UNION
  SELECT tree.root, i.inhrelid FROM tree JOIN pg_catalog.pg_inherits i ON i.inhparent = tree.oid
), unlocated AS (
  SELECT tree.root FROM tree JOIN pg_catalog.pg_class m ON m.oid = tree.oid
  LEFT JOIN pg_catalog.pg_am a ON a.oid = m.relam
  WHERE m.relkind NOT IN ('r', 'p', 'm') OR (m.relkind <> 'p' AND a.amname <> 'heap')
)
SELECT ${selectList}
FROM (${visibleRelations}) AS v
JOIN pg_catalog.pg_class c ON c.oid = v.oid
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
ORDER BY n.nspname, c.relname`,
);

export type RelationRow = RowOf<typeof relationsQuery>;

/** Runs first, so that a change during the introspection is detected. */
export const revisionsQuery = catalogQuery(
  { relation: asText('c.oid::text'), revision: asText(revision) },
  (selectList) =>
    `SELECT ${selectList} FROM (${visibleRelations}) AS v JOIN pg_catalog.pg_class c ON c.oid = v.oid`,
);

/** FirstNormalObjectId: lower oids are built in. Operators of built-in types are found with any search_path. */
const firstOwnOid = 16_384;

/**
 * The operators of a type's default B-tree order, as JSON by symbol, if they are not built in. For a
 * domain, those of its base type. https://www.postgresql.org/docs/current/xindex.html
 */
const customOperators = `(
  WITH RECURSIVE base AS (
    SELECT t.oid, t.typtype, t.typbasetype
    UNION ALL
    SELECT b.oid, b.typtype, b.typbasetype
    FROM base JOIN pg_catalog.pg_type b ON b.oid = base.typbasetype WHERE base.typtype = 'd'
  ), ordered AS (
    SELECT s.amopstrategy, p.oid, p.oprnegate
    FROM base
    JOIN pg_catalog.pg_opclass c ON c.opcintype = base.oid AND c.opcdefault
    JOIN pg_catalog.pg_am m ON m.oid = c.opcmethod AND m.amname = 'btree'
    JOIN pg_catalog.pg_amop s ON s.amopfamily = c.opcfamily AND s.amoppurpose = 's'
      AND s.amoplefttype = c.opcintype AND s.amoprighttype = c.opcintype
    JOIN pg_catalog.pg_operator p ON p.oid = s.amopopr
    WHERE base.typtype <> 'd'
  ), named AS (
    SELECT (ARRAY['<', '<=', '=', '>=', '>'])[amopstrategy] AS symbol, oid FROM ordered
    UNION ALL SELECT '<>', oprnegate FROM ordered WHERE amopstrategy = 3
  )
  SELECT pg_catalog.json_object_agg(o.symbol, pg_catalog.format('OPERATOR(%I.%s)', n.nspname, p.oprname))::text
  FROM named o JOIN pg_catalog.pg_operator p ON p.oid = o.oid
  JOIN pg_catalog.pg_namespace n ON n.oid = p.oprnamespace AND n.nspname <> 'pg_catalog'
)`;

/** The options of a column's sequence in the syntax of CREATE SEQUENCE; empty if all are defaults. */
const sequenceOptions = `(
  SELECT pg_catalog.concat_ws(' ',
    CASE WHEN s.seqtypid <> a.atttypid OR 1 < (SELECT count(*) FROM pg_catalog.pg_depend u
      WHERE u.refclassid = 'pg_catalog.pg_class'::regclass AND u.refobjid = s.seqrelid AND u.classid = 'pg_catalog.pg_attrdef'::regclass)
      THEN 'AS ' || pg_catalog.format_type(s.seqtypid, NULL) END,
    CASE WHEN s.seqincrement <> 1 THEN 'INCREMENT BY ' || s.seqincrement END,
    CASE WHEN s.seqmin <> CASE WHEN s.seqincrement > 0 THEN 1 ELSE -w.top - 1 END THEN 'MINVALUE ' || s.seqmin END,
    CASE WHEN s.seqmax <> CASE WHEN s.seqincrement > 0 THEN w.top ELSE -1 END THEN 'MAXVALUE ' || s.seqmax END,
    CASE WHEN s.seqstart <> CASE WHEN s.seqincrement > 0 THEN s.seqmin ELSE s.seqmax END THEN 'START WITH ' || s.seqstart END,
    CASE WHEN s.seqcache <> 1 THEN 'CACHE ' || s.seqcache END,
    CASE WHEN s.seqcycle THEN 'CYCLE' END)
  FROM pg_catalog.pg_depend p
  JOIN pg_catalog.pg_sequence s ON s.seqrelid = CASE WHEN p.deptype = 'i' THEN p.objid ELSE p.refobjid END
  CROSS JOIN LATERAL (SELECT CASE s.seqtypid WHEN 21 THEN 32767 WHEN 23 THEN 2147483647 ELSE 9223372036854775807 END AS top) w
  WHERE (p.deptype = 'i' AND p.classid = 'pg_catalog.pg_class'::regclass AND p.refclassid = 'pg_catalog.pg_class'::regclass
      AND p.refobjid = a.attrelid AND p.refobjsubid = a.attnum)
    OR (p.classid = 'pg_catalog.pg_attrdef'::regclass AND p.objid = d.oid AND p.refclassid = 'pg_catalog.pg_class'::regclass)
  ORDER BY s.seqrelid LIMIT 1
)`;

const columnColumns = {
  relation: asText('v.oid::text'),
  number: asNumber('a.attnum'),
  name: asText('a.attname'),
  type: asNumber('a.atttypid::text'),
  typeModifier: asNumber('a.atttypmod'),
  nativeType: asText('pg_catalog.format_type(a.atttypid, a.atttypmod)'),
  isNullable: asFlag(`NOT (a.attnotnull OR (t.typtype = 'd' AND t.typnotnull))`),
  /** Of its default, or of a generated column: empty if it is concealed. */
  expression: asOptionalText(
    `CASE WHEN NOT ${isConcealed('v.oid')} THEN pg_catalog.pg_get_expr(d.adbin, d.adrelid) WHEN a.attgenerated <> '' THEN '' END`,
  ),
  identity: asText('a.attidentity'),
  generated: asText('a.attgenerated'),
  collation: asOptionalText(
    `CASE WHEN a.attcollation <> 0 AND a.attcollation <> t.typcollation THEN o.collname END`,
  ),
  comment: asOptionalText('r.description'),
  mayHoldNull:
    asFlag(`(t.typnotnull AND NOT a.attnotnull) OR (a.attnotnull AND EXISTS (SELECT FROM pg_catalog.pg_constraint k
    WHERE k.conrelid = a.attrelid AND k.contype = 'n' AND NOT k.convalidated AND k.conkey = ARRAY[a.attnum]))`),
  operators: asJson<Readonly<Record<string, string>>>(
    `CASE WHEN t.oid >= ${firstOwnOid} THEN ${customOperators} END`,
  ),
  sequenceOptions: asOptionalText(
    `CASE WHEN a.attidentity <> '' OR (d.oid IS NOT NULL AND a.attgenerated = '') THEN ${sequenceOptions} END`,
  ),
};

export const columnsQuery = catalogQuery(
  columnColumns,
  (selectList) => `
SELECT ${selectList}
FROM (${visibleRelations}) AS v
JOIN pg_catalog.pg_attribute a ON a.attrelid = v.oid AND a.attnum > 0 AND NOT a.attisdropped
JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
LEFT JOIN pg_catalog.pg_collation o ON o.oid = a.attcollation
LEFT JOIN pg_catalog.pg_description r
  ON r.objoid = v.oid AND r.classoid = 'pg_catalog.pg_class'::regclass AND r.objsubid = a.attnum
WHERE v.all_columns OR pg_catalog.has_column_privilege(v.oid, a.attnum, 'SELECT')
ORDER BY v.oid, a.attnum`,
);

export type ColumnRow = RowOf<typeof columnsQuery>;

/** The first version with NULLS NOT DISTINCT. */
const version15 = 150_000;
/** The first version with NOT ENFORCED. */
const version18 = 180_000;

const constraintColumns = {
  relation: asText('v.oid::text'),
  name: asText('k.conname'),
  kind: asText('k.contype'),
  columnNumbers: asJson<readonly number[]>('array_to_json(k.conkey)::text'),
  referencedRelation: asText('k.confrelid::text'),
  referencedNumbers: asJson<readonly number[]>('array_to_json(k.confkey)::text'),
  onUpdate: asText('k.confupdtype'),
  onDelete: asText('k.confdeltype'),
  isDeferrable: asFlag('k.condeferrable'),
  isDeferred: asFlag('k.condeferred'),
  index: asText('k.conindid::text'),
  check: asOptionalText(
    `CASE WHEN k.contype = 'c' THEN pg_catalog.pg_get_expr(k.conbin, k.conrelid) END`,
  ),
};

/** Keys, foreign keys and checks, without the copies that partitions have of a foreign key. */
export const constraintsQuery = (serverVersion: number): CatalogQuery<ConstraintRow> =>
  catalogQuery(
    {
      ...constraintColumns,
      isEnforced: asFlag(serverVersion < version18 ? 'true' : 'k.conenforced'),
    },
    (selectList) => `
SELECT ${selectList}
FROM (${visibleRelations}) AS v
JOIN pg_catalog.pg_constraint k ON k.conrelid = v.oid
WHERE k.contype IN ('p', 'u', 'f', 'c') AND (k.contype <> 'f' OR k.conparentid = 0)
  AND NOT (k.contype = 'c' AND ${isConcealed('k.conrelid')})
ORDER BY v.oid, k.conname`,
  );

export type ConstraintRow = CatalogRow<typeof constraintColumns> & { readonly isEnforced: boolean };

const indexColumns = {
  relation: asText('v.oid::text'),
  oid: asText('x.indexrelid::text'),
  name: asText('i.relname'),
  isUnique: asFlag('x.indisunique'),
  isPrimary: asFlag('x.indisprimary'),
  method: asText('m.amname'),
  where: asOptionalText('pg_catalog.pg_get_expr(x.indpred, x.indrelid)'),
  comment: asOptionalText(`pg_catalog.obj_description(x.indexrelid, 'pg_class')`),
  /** False for a column of INCLUDE. */
  isKeyPart: asFlag('p.n <= x.indnkeyatts'),
  columnNumber: asNumber('x.indkey[p.n - 1]'),
  expression: asOptionalText(
    `CASE WHEN x.indkey[p.n - 1] = 0 THEN pg_catalog.pg_get_indexdef(x.indexrelid, p.n, true) END`,
  ),
  isDescending: asFlag(
    `CASE WHEN p.n <= x.indnkeyatts THEN (x.indoption[p.n - 1] & 1) = 1 ELSE false END`,
  ),
  /** Operator class and collation are NULL if they are the defaults of the column. */
  operatorClass: asOptionalText(
    `CASE WHEN p.n <= x.indnkeyatts AND NOT oc.opcdefault THEN oc.opcname END`,
  ),
  collation: asOptionalText(
    `CASE WHEN p.n <= x.indnkeyatts AND co.oid <> COALESCE(a.attcollation, co.oid) THEN co.collname END`,
  ),
  isValid: asFlag('x.indisvalid'),
};

/** One row for each column of each index, except indexes of exclusion constraints. */
export const indexesQuery = (serverVersion: number): CatalogQuery<IndexRow> =>
  catalogQuery(
    {
      ...indexColumns,
      nullsNotDistinct: asFlag(serverVersion < version15 ? 'false' : 'x.indnullsnotdistinct'),
    },
    (selectList) => `
SELECT ${selectList}
FROM (${visibleRelations}) AS v
JOIN pg_catalog.pg_index x ON x.indrelid = v.oid AND x.indislive
JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
JOIN pg_catalog.pg_am m ON m.oid = i.relam
CROSS JOIN LATERAL generate_series(1, x.indnatts) AS p(n)
LEFT JOIN pg_catalog.pg_opclass oc ON p.n <= x.indnkeyatts AND oc.oid = x.indclass[p.n - 1]
LEFT JOIN pg_catalog.pg_collation co ON p.n <= x.indnkeyatts AND co.oid = x.indcollation[p.n - 1]
LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = v.oid AND a.attnum = x.indkey[p.n - 1] AND x.indkey[p.n - 1] <> 0
WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_constraint k WHERE k.conindid = x.indexrelid AND k.contype = 'x')
  AND NOT (${isConcealed('v.oid')} AND (x.indexprs IS NOT NULL OR x.indpred IS NOT NULL))
ORDER BY v.oid, i.relname, p.n`,
  );

export type IndexRow = CatalogRow<typeof indexColumns> & { readonly nullsNotDistinct: boolean };

/** The names of referenced tables and their columns, even if the role cannot read them. */
export const referencesQuery = catalogQuery(
  {
    oid: asText('r.oid::text'),
    namespace: asText('n.nspname'),
    localName: asText('r.relname'),
    columnNames: asJson<Readonly<Record<string, string>>>(
      `(SELECT json_object_agg(a.attnum, a.attname) FROM pg_catalog.pg_attribute a WHERE a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped)::text`,
    ),
  },
  (selectList) => `
SELECT DISTINCT ${selectList}
FROM (${visibleRelations}) AS v
JOIN pg_catalog.pg_constraint k ON k.conrelid = v.oid AND k.contype = 'f'
JOIN pg_catalog.pg_class r ON r.oid = k.confrelid
JOIN pg_catalog.pg_namespace n ON n.oid = r.relnamespace`,
);

const notOfExtension = (catalog: 'pg_proc' | 'pg_type', oid: string): string => `NOT EXISTS (
  SELECT FROM pg_catalog.pg_depend d
  WHERE d.classid = 'pg_catalog.${catalog}'::regclass AND d.objid = ${oid} AND d.deptype = 'e'
)`;

export const enumsQuery = catalogQuery(
  {
    namespace: asText('n.nspname'),
    name: asText('t.typname'),
    values: asJson<readonly string[]>(
      `(SELECT json_agg(e.enumlabel ORDER BY e.enumsortorder) FROM pg_catalog.pg_enum e WHERE e.enumtypid = t.oid)::text`,
    ),
    comment: asOptionalText(`pg_catalog.obj_description(t.oid, 'pg_type')`),
  },
  (selectList) => `
SELECT ${selectList}
FROM pg_catalog.pg_type t
JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
WHERE t.typtype = 'e' AND ${userSchemas} AND ${notOfExtension('pg_type', 't.oid')} AND pg_catalog.has_type_privilege(t.oid, 'USAGE')
ORDER BY n.nspname, t.typname`,
);

export const extensionsQuery = catalogQuery(
  {
    name: asText('e.extname'),
    namespace: asOptionalText(`NULLIF(NULLIF(n.nspname, 'public'), 'pg_catalog')`),
  },
  (selectList) => `
SELECT ${selectList} FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace WHERE e.extname <> 'plpgsql' ORDER BY e.extname`,
);

const dependencyColumns = {
  relation: asText('COALESCE(x.indrelid, k.conrelid, a.adrelid, r.ev_class, d.objid)::text'),
  /** `index 42`, `constraint x`, `view` or `column 1`. */
  object:
    asText(`CASE WHEN x.indexrelid IS NOT NULL THEN 'index ' || x.indexrelid WHEN k.oid IS NOT NULL THEN 'constraint ' || k.conname
    WHEN r.oid IS NOT NULL THEN 'view' ELSE 'column ' || COALESCE(a.adnum, d.objsubid) END`),
  rank: asText('own.rank'),
  needs: asText('own.name'),
};

/**
 * Indexes, columns, constraints and views that depend on a user-defined function or type. What scripts do
 * not create comes last.
 */
export const dependenciesQuery = catalogQuery(
  dependencyColumns,
  (selectList) => `
WITH own AS (
  SELECT 'pg_catalog.pg_proc'::regclass AS class, p.oid, p.proname AS name,
    CASE WHEN p.prokind IN ('f', 'p') AND l.lanpltrusted THEN 0 ELSE 1 END AS rank
  FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
  JOIN pg_catalog.pg_language l ON l.oid = p.prolang
  WHERE ${userSchemas} AND ${notOfExtension('pg_proc', 'p.oid')}
  UNION ALL
  SELECT 'pg_catalog.pg_type'::regclass, t.oid, t.typname, 1
  FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
  LEFT JOIN pg_catalog.pg_class c ON c.oid = t.typrelid
  WHERE ${userSchemas} AND t.typtype IN ('c', 'd', 'r', 'm') AND (t.typrelid = 0 OR c.relkind = 'c')
    AND ${notOfExtension('pg_type', 't.oid')}
)
SELECT DISTINCT ${selectList}
FROM own
JOIN pg_catalog.pg_depend d ON d.refclassid = own.class AND d.refobjid = own.oid
LEFT JOIN pg_catalog.pg_index x ON d.classid = 'pg_catalog.pg_class'::regclass AND x.indexrelid = d.objid
LEFT JOIN pg_catalog.pg_constraint k ON d.classid = 'pg_catalog.pg_constraint'::regclass AND k.oid = d.objid
LEFT JOIN pg_catalog.pg_attrdef a ON d.classid = 'pg_catalog.pg_attrdef'::regclass AND a.oid = d.objid
LEFT JOIN pg_catalog.pg_rewrite r ON d.classid = 'pg_catalog.pg_rewrite'::regclass AND r.oid = d.objid
WHERE d.classid IN ('pg_catalog.pg_class'::regclass, 'pg_catalog.pg_constraint'::regclass,
  'pg_catalog.pg_attrdef'::regclass, 'pg_catalog.pg_rewrite'::regclass)
ORDER BY 1, 2, 3, 4`,
);
