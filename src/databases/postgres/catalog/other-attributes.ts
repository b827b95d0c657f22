/** Attributes of tables, columns, indexes and domains, and comments, that the schema does not represent. */
import { userSchemas } from './catalog.ts';
import type { ObjectsOfKind } from '../../read-other-objects.ts';

export const isNotOfExtension = (catalog: string, oid: string): string => `NOT EXISTS (
    SELECT FROM pg_catalog.pg_depend e
    WHERE e.classid = 'pg_catalog.${catalog}'::pg_catalog.regclass AND e.objid = ${oid} AND e.deptype = 'e')`;

const ofTable = {
  kind: `'attribute'`,
  namespace: 'n.nspname::text',
  table: 'c.relname::text',
};

const tables = `FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace AND ${userSchemas}
    AND c.relkind IN ('r', 'p', 'm', 'v', 'f') AND NOT c.relispartition AND ${isNotOfExtension('pg_class', 'c.oid')}`;

/** The clause that begins with a condition is there if the condition holds. */
const clauses = (...values: readonly (readonly [condition: string, words: string])[]): string =>
  `CROSS JOIN LATERAL (VALUES ${values.map(([condition, words]) => `(${condition}, ${words})`).join(', ')}) AS x(is_there, words)`;

/** Views have options that the schema represents. */
const storageOfTables: ObjectsOfKind = {
  ...ofTable,
  name: 'x.words',
  from: `${tables}
LEFT JOIN pg_catalog.pg_am m ON m.oid = c.relam
LEFT JOIN pg_catalog.pg_tablespace s ON s.oid = c.reltablespace
LEFT JOIN pg_catalog.pg_class t ON t.oid = c.reltoastrelid
CROSS JOIN LATERAL (
  SELECT option FROM pg_catalog.unnest(c.reloptions) AS option WHERE c.relkind <> 'v'
  UNION ALL SELECT 'toast.' || option FROM pg_catalog.unnest(t.reloptions) AS option
  UNION ALL SELECT 'USING ' || m.amname WHERE c.relkind IN ('r', 'm') AND m.amname NOT IN ('heap', 'columnar')
  UNION ALL SELECT 'TABLESPACE ' || s.spcname WHERE s.spcname IS NOT NULL
  UNION ALL SELECT 'REPLICA IDENTITY ' || CASE c.relreplident WHEN 'n' THEN 'NOTHING' WHEN 'f' THEN 'FULL' ELSE 'USING INDEX' END
    WHERE c.relkind IN ('r', 'p') AND c.relreplident <> 'd'
  UNION ALL SELECT 'OF ' || pg_catalog.format_type(c.reloftype, NULL) WHERE c.reloftype <> 0
) AS x(words)`,
};

/** The storage that a column has without a clause is that of its type. */
const attributesOfColumns: ObjectsOfKind = {
  ...ofTable,
  name: `x.words || ' of ' || a.attname`,
  from: `${tables}
JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
LEFT JOIN pg_catalog.pg_attrdef f ON f.adrelid = c.oid AND f.adnum = a.attnum AND c.relkind = 'v'
LEFT JOIN LATERAL (SELECT pg_catalog.string_agg(option, ', ') AS options FROM pg_catalog.unnest(a.attoptions) AS option
  WHERE option LIKE 'n\\_distinct%') AS own ON true
${clauses(
  [`a.attstattarget >= 0`, `'STATISTICS ' || a.attstattarget`],
  [
    `a.attstorage <> t.typstorage AND c.relkind <> 'v'`,
    `'STORAGE ' || CASE a.attstorage WHEN 'p' THEN 'PLAIN' WHEN 'e' THEN 'EXTERNAL' WHEN 'm' THEN 'MAIN' ELSE 'EXTENDED' END`,
  ],
  [
    `pg_catalog.to_jsonb(a) ->> 'attcompression' IN ('p', 'l')`,
    `'COMPRESSION ' || CASE pg_catalog.to_jsonb(a) ->> 'attcompression' WHEN 'p' THEN 'pglz' ELSE 'lz4' END`,
  ],
  [`own.options IS NOT NULL`, `own.options`],
  [`f.oid IS NOT NULL`, `'DEFAULT ' || pg_catalog.pg_get_expr(f.adbin, f.adrelid)`],
)}
WHERE x.is_there`,
};

/** A key's index has the key's name. The order of NULLs has a default for each direction. */
const attributesOfIndexes: ObjectsOfKind = {
  ...ofTable,
  name: `x.words || ' of ' || i.relname`,
  from: `${tables}
JOIN pg_catalog.pg_index d ON d.indrelid = c.oid
JOIN pg_catalog.pg_class i ON i.oid = d.indexrelid
LEFT JOIN pg_catalog.pg_tablespace s ON s.oid = i.reltablespace
CROSS JOIN LATERAL (
  SELECT option FROM pg_catalog.unnest(i.reloptions) AS option
  UNION ALL SELECT 'TABLESPACE ' || s.spcname WHERE s.spcname IS NOT NULL
  UNION ALL SELECT 'CLUSTER' WHERE d.indisclustered
  UNION ALL SELECT 'INCLUDE' WHERE d.indisprimary AND d.indnkeyatts < d.indnatts
  UNION ALL SELECT CASE o.flags & 1 WHEN 1 THEN 'NULLS LAST' ELSE 'NULLS FIRST' END
    FROM (SELECT DISTINCT flags FROM pg_catalog.unnest(d.indoption) AS flags) AS o WHERE o.flags & 3 IN (1, 2)
  UNION ALL SELECT 'STATISTICS ' || a.attstattarget FROM pg_catalog.pg_attribute a WHERE a.attrelid = i.oid AND a.attstattarget >= 0
  UNION ALL SELECT 'the operator class parameter ' || option
    FROM pg_catalog.pg_attribute a, pg_catalog.unnest(a.attoptions) AS option WHERE a.attrelid = i.oid AND option NOT LIKE 'pg\\_%'
) AS x(words)`,
};

/** Columns of a domain are written with its base type. */
const attributesOfDomains: ObjectsOfKind = {
  ...ofTable,
  name: `x.words || ' of ' || a.attname || ', by its domain'`,
  from: `${tables}
JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p', 'f')
JOIN pg_catalog.pg_type t ON t.oid = a.atttypid AND t.typtype = 'd' AND ${isNotOfExtension('pg_type', 't.oid')}
CROSS JOIN LATERAL (
  SELECT 'DEFAULT ' || t.typdefault WHERE t.typdefault IS NOT NULL AND NOT a.atthasdef
  UNION ALL SELECT pg_catalog.pg_get_constraintdef(k.oid) FROM pg_catalog.pg_constraint k WHERE k.contypid = t.oid AND k.contype = 'c'
) AS x(words)`,
};

/** Without those of objects that the schema represents. */
const comments: ObjectsOfKind = {
  kind: `'comment'`,
  name: `'on the ' || pg_catalog.pg_describe_object(o.classoid, o.objoid, o.objsubid)`,
  from: `FROM pg_catalog.pg_description o
LEFT JOIN pg_catalog.pg_class c ON o.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass AND c.oid = o.objoid
LEFT JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_catalog.pg_type t ON o.classoid = 'pg_catalog.pg_type'::pg_catalog.regclass AND t.oid = o.objoid
WHERE (o.objoid >= 16384 OR (o.classoid = 'pg_catalog.pg_namespace'::pg_catalog.regclass
    AND o.objoid = 'public'::pg_catalog.regnamespace AND o.description <> 'standard public schema'))
  AND o.classoid NOT IN ('pg_catalog.pg_extension'::pg_catalog.regclass, 'pg_catalog.pg_largeobject'::pg_catalog.regclass)
  AND (c.oid IS NULL OR (c.relkind IN ('S', 'c') AND ${userSchemas})) AND t.typtype IS DISTINCT FROM 'e'
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend e WHERE e.classid = o.classoid AND e.objid = o.objoid AND e.deptype = 'e')`,
};

export const otherAttributes: readonly ObjectsOfKind[] = [
  storageOfTables,
  attributesOfColumns,
  attributesOfIndexes,
  attributesOfDomains,
  comments,
];
