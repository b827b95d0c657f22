/** The catalog query for the functions that a statement may call. */
import { catalogQuery, asJson } from '../../catalog-query.ts';
import type { RowOf } from '../../catalog-query.ts';

/** A function that may have side effects. */
export interface CalledFunction {
  readonly oid: number;
  readonly name: string;
  /** Part of the server. Extensions can put functions into pg_catalog, too. */
  readonly isBuiltIn: boolean;
  readonly language: string;
  readonly isTrusted: boolean;
  readonly volatility: 'i' | 's' | 'v';
  readonly isTrigger: boolean;
  /** It takes a text, or a list of them, and returns rows, like functions that run a query. */
  readonly mayRunText: boolean;
  /** It returns nothing, so that it is called for what it does. */
  readonly returnsNothing: boolean;
  /** SECURITY DEFINER: it runs with the privileges of its owner. */
  readonly isSecurityDefiner: boolean;
  /** Its source; null for C functions. */
  readonly body: string | null;
}

const firstOwnOid = 16_384;

/** The names are those of the members in the JSON text that the query returns. */
const functionExpressions: Readonly<Record<keyof CalledFunction, string>> = {
  oid: 'p.oid::bigint',
  name: 'p.proname',
  isBuiltIn: `p.oid < ${firstOwnOid} AND p.pronamespace = 'pg_catalog'::regnamespace`,
  language: 'l.lanname',
  isTrusted: 'l.lanpltrusted',
  volatility: 'p.provolatile',
  isTrigger: `p.prorettype = 'pg_catalog.trigger'::regtype`,
  // Categories: S is strings, P and X are types that accept them, such as cstring and anyelement.
  mayRunText: `p.proretset AND EXISTS (
      SELECT FROM unnest(p.proargtypes::oid[]) argument (oid) JOIN pg_catalog.pg_type t ON t.oid = argument.oid
      LEFT JOIN pg_catalog.pg_type e ON e.oid = t.typelem
      WHERE t.typcategory IN ('S', 'P', 'X') OR e.typcategory IN ('S', 'P', 'X'))`,
  returnsNothing: `p.prorettype = 'pg_catalog.void'::regtype`,
  isSecurityDefiner: 'p.prosecdef',
  body: `CASE WHEN l.lanname NOT IN ('c', 'internal') THEN p.prosrc END`,
};

const functionColumns = Object.entries(functionExpressions)
  .map(([name, expression]) => `${expression} AS "${name}"`)
  .join(',\n    ');

/** SQL names of types, with the different names that pg_type has. */
const typeWords = `(VALUES ('int', 'int4'), ('integer', 'int4'), ('bigint', 'int8'), ('smallint', 'int2'), ('real', 'float4'),
  ('float', 'float8'), ('double', 'float8'), ('decimal', 'numeric'), ('dec', 'numeric'), ('boolean', 'bool'),
  ('character', 'bpchar'), ('char', 'bpchar'), ('nchar', 'bpchar'), ('timestamp', 'timestamptz'), ('time', 'timetz'))`;

/** Functions that parse a value of a type given by its oid or as a text. */
const readsAnyType = `'{pg_input_is_valid,pg_input_error_info,domain_in,domain_recv,array_in,array_recv,record_in,record_recv,range_in,range_recv,multirange_in,multirange_recv}'::name[]`;

/** CASE, IN, sorting and joins use these without an operator in the text, so they are found by the types of values. */
const comparisons = `'{=,<>,<,>,<=,>=}'::name[]`;

/**
 * The types that values of the statement may have: types that it names, types of literals, of columns
 * of its relations, of arguments and results of its functions, and the types that all of these contain.
 */
const typesOf = `
types(oid) AS (
  SELECT unnest('{bool,int4,int8,numeric,text,unknown,bit}'::regtype[])::oid
  UNION
  SELECT unnest($10::oid[])
  UNION
  SELECT t.oid FROM pg_catalog.pg_type t
  WHERE t.typname = ANY ($1::name[]) OR ${readsAnyType} && $1::name[] AND t.typtype = 'd'
    OR t.typname = ANY (ARRAY(SELECT v.name::name FROM ${typeWords} v (word, name) WHERE v.word = ANY ($1::text[])))
  UNION
  SELECT c.reltype FROM relations r JOIN pg_catalog.pg_class c ON c.oid = r.oid
  UNION
  SELECT unnest(p.proargtypes::oid[] || p.proallargtypes || p.prorettype)
  FROM named JOIN pg_catalog.pg_proc p ON p.oid = named.oid
  UNION
  SELECT o.oprresult FROM pg_catalog.pg_operator o WHERE o.oprname = ANY ($4::name[])
  UNION
  SELECT part.oid FROM types JOIN pg_catalog.pg_type t ON t.oid = types.oid CROSS JOIN LATERAL (
    SELECT t.typelem UNION ALL SELECT t.typarray UNION ALL SELECT t.typbasetype
    UNION ALL
    SELECT unnest(ARRAY[g.rngtypid, g.rngsubtype]) FROM pg_catalog.pg_range g
    WHERE g.rngtypid = t.oid OR to_jsonb(g.*) ->> 'rngmultitypid' = t.oid::text
    UNION ALL
    SELECT a.atttypid FROM pg_catalog.pg_attribute a
    WHERE t.typrelid <> 0 AND a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped
  ) part (oid) WHERE part.oid <> 0
)`;

/** Functions that are called implicitly: casts, comparisons, and support functions of indexes, partitions and ranges. */
const impliedBy = `
implied AS (
  SELECT c.castfunc AS oid FROM pg_catalog.pg_cast c
  WHERE c.oid >= ${firstOwnOid} AND c.castfunc <> 0 AND c.castsource IN (SELECT oid FROM types)
    AND (c.casttarget IN (SELECT oid FROM types) OR EXISTS (SELECT FROM pg_catalog.pg_operator o
      WHERE o.oprname = ANY ($4::name[]) AND c.casttarget IN (o.oprleft, o.oprright)))
  UNION
  SELECT o.oprcode::oid FROM pg_catalog.pg_operator o
  JOIN pg_catalog.pg_type t ON t.oid IN (o.oprleft, o.oprright)
  WHERE o.oid >= ${firstOwnOid} AND o.oprname = ANY (${comparisons})
    AND (t.typtype = 'p' OR t.oid IN (SELECT oid FROM types)
      OR o.oprname = ANY ($4::name[]) AND EXISTS (SELECT FROM pg_catalog.pg_cast c
        WHERE c.casttarget = t.oid AND c.castcontext = 'i' AND c.castsource IN (SELECT oid FROM types)))
  UNION
  SELECT ap.amproc::oid FROM classes JOIN pg_catalog.pg_amproc ap ON ap.amprocfamily = classes.opcfamily
  WHERE ap.amproc::oid >= ${firstOwnOid}
  UNION
  SELECT o.oprcode::oid FROM classes JOIN pg_catalog.pg_amop ao ON ao.amopfamily = classes.opcfamily
  JOIN pg_catalog.pg_operator o ON o.oid = ao.amopopr
  WHERE o.oprcode::oid >= ${firstOwnOid}
  UNION
  SELECT unnest(ARRAY[g.rngcanonical, g.rngsubdiff]::oid[]) FROM pg_catalog.pg_range g
  WHERE g.rngtypid >= ${firstOwnOid} AND g.rngtypid IN (SELECT oid FROM types)
)`;

/** Stored expressions that the planner and the executor evaluate when a relation is read. */
const treesOfRelations = `
  SELECT w.ev_action::text AS tree, r.written
  FROM pg_catalog.pg_rewrite w JOIN relations r ON r.oid = w.ev_class
  JOIN pg_catalog.pg_class c ON c.oid = w.ev_class
  WHERE w.rulename = '_RETURN' AND ($11::bool OR c.relkind <> 'm')
  UNION ALL
  SELECT concat(p.polqual::text, ' ', p.polwithcheck::text), false
  FROM pg_catalog.pg_policy p JOIN relations r ON r.oid = p.polrelid
  UNION ALL
  SELECT concat(i.indexprs::text, ' ', i.indpred::text), false
  FROM pg_catalog.pg_index i JOIN relations r ON r.oid = i.indrelid
  UNION ALL
  SELECT c.conbin::text, false FROM pg_catalog.pg_constraint c JOIN relations r ON r.oid = c.conrelid
  UNION ALL
  SELECT to_jsonb(s.*) ->> 'stxexprs', false
  FROM pg_catalog.pg_statistic_ext s JOIN relations r ON r.oid = s.stxrelid
  UNION ALL
  SELECT p.partexprs::text, false
  FROM pg_catalog.pg_partitioned_table p JOIN relations r ON r.oid = p.partrelid
  UNION ALL
  SELECT pg_catalog.concat(d.adbin::text), false
  FROM pg_catalog.pg_attrdef d JOIN relations r ON r.oid = d.adrelid
  JOIN pg_catalog.pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
  WHERE to_jsonb(a.*) ->> 'attgenerated' = 'v'`;

const matchColumns = {
  functions: asJson<readonly CalledFunction[]>('(SELECT json_agg(f) FROM functions f)::text'),
  /** System catalogs that are written to, also through views. */
  writtenCatalogs: asJson<readonly string[]>(
    `(SELECT json_agg(c.relname) FROM relations r JOIN pg_catalog.pg_class c ON c.oid = r.oid
   WHERE r.written AND c.relkind = 'r' AND c.relnamespace = 'pg_catalog'::regnamespace)::text`,
  ),
  /** Objects that stored expressions of views, policies and functions refer to. */
  references: asJson<readonly { readonly kind: string; readonly oid: number }[]>(
    `(SELECT json_agg(DISTINCT jsonb_build_object(
     'kind', CASE WHEN m[1] = 'relid' AND t.written THEN 'written' ELSE m[1] END, 'oid', m[2]::bigint))
   FROM trees t, regexp_matches(t.tree, ':(funcid|opfuncid|aggfnoid|winfnoid|opno|relid|resulttype) (\\d+)', 'g') m
   WHERE m[1] <> 'resulttype' OR m[2]::bigint >= ${firstOwnOid})::text`,
  ),
  /** Foreign tables that read files or programs of the server. */
  files: asJson<readonly string[]>(
    `(SELECT json_agg(c.relname) FROM relations r JOIN pg_catalog.pg_class c ON c.oid = r.oid
   JOIN pg_catalog.pg_foreign_table f ON f.ftrelid = c.oid
   JOIN pg_catalog.pg_foreign_server s ON s.oid = f.ftserver
   JOIN pg_catalog.pg_foreign_data_wrapper w ON w.oid = s.srvfdw
   JOIN pg_catalog.pg_proc p ON p.oid = w.fdwhandler
   WHERE p.proname = 'file_fdw_handler' OR p.probin ~ 'file_fdw')::text`,
  ),
  types: asJson<readonly number[]>('(SELECT json_agg(oid::bigint) FROM types)::text'),
};

/**
 * Names are searched in all schemas, because the search_path and functions of the same name could hide
 * one. Immutable and stable functions in C are omitted only if they are immutable.
 */
export const calledFunctionsQuery = catalogQuery(
  matchColumns,
  (selectList) => `
WITH RECURSIVE named AS (
  SELECT p.oid FROM pg_catalog.pg_proc p WHERE p.proname = ANY ($1::name[])
  UNION
  SELECT p.oid FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_type t ON t.oid = p.proargtypes[0]
  WHERE p.proname = ANY ($2::name[]) AND t.typtype IN ('c', 'p', 'd')
  UNION
  SELECT unnest($3::oid[])
  UNION
  SELECT o.oprcode::oid FROM pg_catalog.pg_operator o
  WHERE o.oid >= ${firstOwnOid} AND (o.oid = ANY ($5::oid[])
    OR o.oprname = ANY ($4::name[]) AND o.oprname <> ALL (${comparisons}))
), relations AS (
  SELECT c.oid, c.relname = ANY ($8::name[]) OR c.oid = ANY ($9::oid[]) AS written
  FROM pg_catalog.pg_class c
  WHERE c.relname = ANY ($6::name[]) OR c.oid = ANY ($7::oid[])
  UNION
  SELECT i.inhrelid, r.written FROM relations r JOIN pg_catalog.pg_inherits i ON i.inhparent = r.oid
), ${typesOf}, classes AS (
  SELECT o.opcfamily FROM pg_catalog.pg_opclass o WHERE o.opcintype IN (SELECT oid FROM types)
  UNION
  SELECT o.opcfamily FROM pg_catalog.pg_index i JOIN relations r ON r.oid = i.indrelid
  JOIN pg_catalog.pg_opclass o ON o.oid = ANY (i.indclass::oid[])
  UNION
  SELECT o.opcfamily FROM pg_catalog.pg_partitioned_table p JOIN relations r ON r.oid = p.partrelid
  JOIN pg_catalog.pg_opclass o ON o.oid = ANY (p.partclass::oid[])
  UNION
  SELECT o.opcfamily FROM pg_catalog.pg_range g JOIN pg_catalog.pg_opclass o ON o.oid = g.rngsubopc
  WHERE g.rngtypid >= ${firstOwnOid} AND g.rngtypid IN (SELECT oid FROM types)
), ${impliedBy}, called AS (
  SELECT oid FROM named UNION SELECT oid FROM implied
), candidates AS (
  SELECT oid FROM called
  UNION
  SELECT unnest(ARRAY[a.aggtransfn, a.aggfinalfn, a.aggcombinefn, a.aggserialfn, a.aggdeserialfn,
    a.aggmtransfn, a.aggminvtransfn, a.aggmfinalfn]::oid[])
  FROM called JOIN pg_catalog.pg_aggregate a ON a.aggfnoid = called.oid
), functions AS (
  SELECT ${functionColumns}
  FROM pg_catalog.pg_proc p
  JOIN candidates ON candidates.oid = p.oid
  JOIN pg_catalog.pg_language l ON l.oid = p.prolang
  WHERE p.prokind <> 'a' AND (l.lanname NOT IN ('c', 'internal') OR p.provolatile <> 'i')
), trees AS (${treesOfRelations}
  UNION ALL
  SELECT to_jsonb(p.*) ->> 'prosqlbody', false FROM pg_catalog.pg_proc p JOIN functions f ON f.oid = p.oid
  WHERE f.body = ''
  UNION ALL
  SELECT p.proargdefaults::text, false FROM pg_catalog.pg_proc p JOIN candidates ON candidates.oid = p.oid
  WHERE p.proargdefaults IS NOT NULL AND p.oid >= ${firstOwnOid}
  UNION ALL
  SELECT c.conbin::text, false FROM pg_catalog.pg_constraint c
  WHERE c.contypid >= ${firstOwnOid} AND c.contypid IN (SELECT oid FROM types)
)
SELECT ${selectList}`,
);

export type CatalogMatchRow = RowOf<typeof calledFunctionsQuery>;
