import { defaultNamespace } from './portable-names.ts';
import { userSchemas } from './catalog.ts';
import { isNotOfExtension, otherAttributes } from './other-attributes.ts';
import { otherObjectsQuery, readOtherObjects } from '../../read-other-objects.ts';
import type { ObjectsOfKind } from '../../read-other-objects.ts';
import type { Session } from '../../../model/database.ts';
import type { OtherObject } from '../../../model/other-objects.ts';

/** The name, qualified unless its namespace is the default one. */
export const qualifiedName = (name: string): string =>
  `pg_catalog.concat(NULLIF(n.nspname, ${defaultNamespace}) || '.', ${name})`;

export const routineName =
  "p.proname::text || '(' || pg_catalog.pg_get_function_identity_arguments(p.oid) || ')'";

const ofTable = `JOIN pg_catalog.pg_class c ON c.oid = o.relation
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace AND ${userSchemas}`;

/** Objects in a namespace. The names of their catalog's columns begin with `prefix`. */
function namedObjects(kind: string, catalog: string, prefix: string): ObjectsOfKind {
  return {
    kind: `'${kind}'`,
    name: qualifiedName(`o.${prefix}name::text`),
    from: `FROM pg_catalog.${catalog} o JOIN pg_catalog.pg_namespace n ON n.oid = o.${prefix}namespace AND ${userSchemas}
WHERE ${isNotOfExtension(catalog, 'o.oid')}`,
  };
}

/** Objects of the whole database. Those of the server have a number below 16384, and the casts of a range belong to it. */
function databaseObjects(kind: string, catalog: string, name: string): ObjectsOfKind {
  return {
    kind: `'${kind}'`,
    name,
    from: `FROM pg_catalog.${catalog} o WHERE o.oid >= 16384 AND NOT EXISTS (
  SELECT FROM pg_catalog.pg_depend e
  WHERE e.classid = 'pg_catalog.${catalog}'::pg_catalog.regclass AND e.objid = o.oid AND e.deptype IN ('e', 'i'))`,
  };
}

/** Versions before 18 enforce every constraint, and have no such column. */
const isEnforced = `(pg_catalog.to_jsonb(k) ->> 'conenforced' IS DISTINCT FROM 'false')`;

/**
 * The first part returns attributes of constraints that the schema does not represent. Every role may read
 * these catalogs. Sequences of identities and defaults and enums are part of the schema, and objects of an
 * extension belong to the extension, so they are omitted. A column may own a sequence that it does not use.
 */
const query = otherObjectsQuery([
  {
    kind: `'attribute'`,
    name: `x.words || ' of ' || k.conname`,
    namespace: 'n.nspname::text',
    table: 'c.relname::text',
    from: `FROM pg_catalog.pg_constraint k
JOIN pg_catalog.pg_class c ON c.oid = k.conrelid AND NOT c.relispartition
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace AND ${userSchemas}
CROSS JOIN LATERAL (VALUES
  (k.contype IN ('p', 'u') AND k.condeferrable, 'DEFERRABLE'),
  (k.contype = 'f' AND k.confmatchtype = 'f', 'MATCH FULL'),
  (k.contype IN ('f', 'c') AND NOT k.convalidated AND ${isEnforced}, 'NOT VALID'),
  (k.contype = 'f' AND NOT ${isEnforced}, 'NOT ENFORCED'),
  (k.contype = 'c' AND k.connoinherit, 'NO INHERIT'),
  (k.contype = 'f' AND pg_catalog.to_jsonb(k) ->> 'confdelsetcols' IS NOT NULL, 'the columns of ON DELETE'),
  (pg_catalog.to_jsonb(k) ->> 'conperiod' = 'true', CASE k.contype WHEN 'f' THEN 'PERIOD' ELSE 'WITHOUT OVERLAPS' END)
) AS x(is_there, words)
WHERE x.is_there AND k.contype IN ('p', 'u', 'f', 'c') AND k.conparentid = 0 AND ${isNotOfExtension('pg_class', 'c.oid')}`,
  },
  {
    kind: 'o.kind',
    name: 'o.name',
    namespace: 'n.nspname::text',
    table: 'c.relname::text',
    from: `FROM (
  SELECT 'trigger' AS kind, tgname::text AS name, tgrelid AS relation FROM pg_catalog.pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT 'policy', polname::text, polrelid FROM pg_catalog.pg_policy
  UNION ALL SELECT 'rule', rulename::text, ev_class FROM pg_catalog.pg_rewrite WHERE rulename <> '_RETURN'
) AS o ${ofTable} WHERE NOT c.relispartition AND ${isNotOfExtension('pg_class', 'c.oid')}`,
  },
  {
    kind: `CASE p.prokind WHEN 'p' THEN 'procedure' WHEN 'a' THEN 'aggregate' ELSE 'function' END`,
    name: qualifiedName(routineName),
    from: `FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace AND ${userSchemas}
WHERE ${isNotOfExtension('pg_proc', 'p.oid')} AND NOT EXISTS (
  SELECT FROM pg_catalog.pg_depend e
  WHERE e.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND e.objid = p.oid AND e.deptype = 'i')`,
  },
  {
    kind: `'statistics object'`,
    name: 'o.stxname::text',
    namespace: 'n.nspname::text',
    table: 'c.relname::text',
    from: `FROM (SELECT stxname, stxrelid AS relation FROM pg_catalog.pg_statistic_ext) AS o
${ofTable} WHERE NOT c.relispartition AND ${isNotOfExtension('pg_class', 'c.oid')}`,
  },
  ...otherAttributes,
  namedObjects('operator', 'pg_operator', 'opr'),
  namedObjects('operator class', 'pg_opclass', 'opc'),
  namedObjects('operator family', 'pg_opfamily', 'opf'),
  namedObjects('collation', 'pg_collation', 'coll'),
  namedObjects('conversion', 'pg_conversion', 'con'),
  namedObjects('text search configuration', 'pg_ts_config', 'cfg'),
  namedObjects('text search dictionary', 'pg_ts_dict', 'dict'),
  namedObjects('text search parser', 'pg_ts_parser', 'prs'),
  namedObjects('text search template', 'pg_ts_template', 'tmpl'),
  databaseObjects(
    'cast',
    'pg_cast',
    `pg_catalog.format_type(o.castsource, NULL) || ' AS ' || pg_catalog.format_type(o.casttarget, NULL)`,
  ),
  databaseObjects(
    'transform',
    'pg_transform',
    `pg_catalog.format_type(o.trftype, NULL) || ' of ' || (SELECT l.lanname FROM pg_catalog.pg_language l WHERE l.oid = o.trflang)`,
  ),
  databaseObjects('language', 'pg_language', 'o.lanname::text'),
  databaseObjects('access method', 'pg_am', 'o.amname::text'),
  databaseObjects('event trigger', 'pg_event_trigger', 'o.evtname::text'),
  databaseObjects('foreign-data wrapper', 'pg_foreign_data_wrapper', 'o.fdwname::text'),
  databaseObjects('foreign server', 'pg_foreign_server', 'o.srvname::text'),
  databaseObjects('publication', 'pg_publication', 'o.pubname::text'),
  {
    kind: `'subscription'`,
    name: 'o.subname::text',
    from: `FROM pg_catalog.pg_subscription o
WHERE o.subdbid = (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname = pg_catalog.current_database())`,
  },
  // There may be millions.
  {
    kind: `'large object'`,
    name: `pg_catalog.count(*) || ' in all'`,
    from: 'FROM pg_catalog.pg_largeobject_metadata HAVING pg_catalog.count(*) > 0',
  },
  {
    kind: `'sequence'`,
    name: qualifiedName('c.relname::text'),
    from: `FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace AND ${userSchemas}
WHERE c.relkind = 'S' AND ${isNotOfExtension('pg_class', 'c.oid')} AND NOT EXISTS (
  SELECT FROM pg_catalog.pg_depend d
  WHERE (d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = c.oid AND d.deptype = 'i')
    OR (d.classid = 'pg_catalog.pg_attrdef'::pg_catalog.regclass AND d.refobjid = c.oid))`,
  },
  {
    kind: `CASE t.typtype WHEN 'd' THEN 'domain' ELSE 'type' END`,
    name: qualifiedName('t.typname::text'),
    from: `FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace AND ${userSchemas}
LEFT JOIN pg_catalog.pg_class c ON c.oid = t.typrelid
WHERE (t.typtype IN ('d', 'r', 'p') OR c.relkind = 'c'
    OR (t.typtype = 'b' AND NOT EXISTS (SELECT FROM pg_catalog.pg_type e WHERE e.typarray = t.oid))) AND ${isNotOfExtension('pg_type', 't.oid')}`,
  },
]);

export function otherObjects(session: Session): Promise<readonly OtherObject[]> {
  return readOtherObjects(session, query);
}
