import {
  catalogQuery,
  asFlag,
  asNumber,
  asOptionalNumber,
  asOptionalText,
  asText,
} from '../../catalog-query.ts';
import { revision } from './revision.ts';
import type { RowOf } from '../../catalog-query.ts';

/** Queries on the catalog views, which show only what the login may see. */

export const serverQuery = catalogQuery(
  {
    database: asText('DB_NAME()'),
    version: asText(`CAST(SERVERPROPERTY('ProductVersion') AS nvarchar(128))`),
    defaultNamespace: asText('SCHEMA_NAME()'),
  },
  (selectList) => `SELECT ${selectList}`,
);

/** User tables and views. */
export const relationsQuery = catalogQuery(
  {
    id: asNumber('o.object_id'),
    namespace: asText('SCHEMA_NAME(o.schema_id)'),
    localName: asText('o.name'),
    isView: asFlag(`CASE o.type WHEN 'V' THEN 1 ELSE 0 END`),
    definition: asOptionalText('m.definition'),
    comment: asOptionalText('CAST(c.value AS nvarchar(4000))'),
    /** 1: a history table. 2: a table that has one. */
    temporalType: asOptionalNumber('t.temporal_type'),
    revision: asOptionalText(revision),
  },
  (selectList) => `
SELECT ${selectList}
FROM sys.objects o
LEFT JOIN sys.tables t ON t.object_id = o.object_id
LEFT JOIN sys.sql_modules m ON m.object_id = o.object_id AND o.type = 'V'
LEFT JOIN sys.extended_properties c
  ON c.class = 1 AND c.major_id = o.object_id AND c.minor_id = 0 AND c.name = 'MS_Description'
WHERE o.type IN ('U', 'V') AND o.is_ms_shipped = 0
ORDER BY SCHEMA_NAME(o.schema_id), o.name`,
);

export type RelationRow = RowOf<typeof relationsQuery>;

/** Hidden columns that are not part of a period belong to graph tables and cannot be read. */
export const columnsQuery = catalogQuery(
  {
    relation: asNumber('c.object_id'),
    number: asNumber('c.column_id'),
    name: asText('c.name'),
    typeName: asText('t.name'),
    /** The underlying system type. */
    baseTypeName: asOptionalText('b.name'),
    isAlias: asFlag('t.is_user_defined'),
    typeNamespace: asText('SCHEMA_NAME(t.schema_id)'),
    length: asNumber('CAST(c.max_length AS int)'),
    precision: asNumber('CAST(c.precision AS int)'),
    scale: asNumber('CAST(c.scale AS int)'),
    isNullable: asFlag('c.is_nullable'),
    isIdentity: asFlag('c.is_identity'),
    default: asOptionalText('d.definition'),
    computed: asOptionalText('k.definition'),
    isPersisted: asFlag('k.is_persisted'),
    generatedAlwaysType: asNumber('CAST(c.generated_always_type AS int)'),
    /** If it is not the default of the database. */
    collation: asOptionalText(
      `CASE WHEN c.collation_name <> CAST(DATABASEPROPERTYEX(DB_NAME(), 'Collation') AS nvarchar(128)) THEN c.collation_name END`,
    ),
    comment: asOptionalText('CAST(e.value AS nvarchar(4000))'),
  },
  (selectList) => `
SELECT ${selectList}
FROM sys.columns c
JOIN sys.objects o ON o.object_id = c.object_id AND o.type IN ('U', 'V') AND o.is_ms_shipped = 0
JOIN sys.types t ON t.user_type_id = c.user_type_id
LEFT JOIN sys.types b ON b.user_type_id = c.system_type_id
LEFT JOIN sys.default_constraints d ON d.object_id = c.default_object_id
LEFT JOIN sys.computed_columns k ON k.object_id = c.object_id AND k.column_id = c.column_id
LEFT JOIN sys.extended_properties e
  ON e.class = 1 AND e.major_id = c.object_id AND e.minor_id = c.column_id AND e.name = 'MS_Description'
WHERE c.is_hidden = 0 OR c.generated_always_type <> 0
ORDER BY c.object_id, c.column_id`,
);

export type ColumnRow = RowOf<typeof columnsQuery>;

/** One row for each column of each index; heaps are excluded. */
export const indexesQuery = catalogQuery(
  {
    relation: asNumber('i.object_id'),
    number: asNumber('i.index_id'),
    name: asText('i.name'),
    isUnique: asFlag('i.is_unique'),
    isPrimary: asFlag('i.is_primary_key'),
    isConstraint: asFlag('i.is_unique_constraint'),
    method: asText('i.type_desc'),
    where: asOptionalText('i.filter_definition'),
    keyOrdinal: asNumber('CAST(c.key_ordinal AS int)'),
    columnNumber: asNumber('c.column_id'),
    isDescending: asFlag('c.is_descending_key'),
    isIncluded: asFlag('c.is_included_column'),
    isDisabled: asFlag('i.is_disabled'),
  },
  (selectList) => `
SELECT ${selectList}
FROM sys.indexes i
JOIN sys.objects o ON o.object_id = i.object_id AND o.type = 'U' AND o.is_ms_shipped = 0
JOIN sys.index_columns c ON c.object_id = i.object_id AND c.index_id = i.index_id
WHERE i.type <> 0 AND i.is_hypothetical = 0
ORDER BY i.object_id, i.index_id, c.key_ordinal, c.index_column_id`,
);

export type IndexRow = RowOf<typeof indexesQuery>;

/** One row for each column of each foreign key. */
export const foreignKeysQuery = catalogQuery(
  {
    relation: asNumber('k.parent_object_id'),
    id: asNumber('k.object_id'),
    name: asOptionalText('k.name'),
    columnNumber: asNumber('c.parent_column_id'),
    /** The referenced table and column. NULL if the login may not see them. */
    namespace: asText('OBJECT_SCHEMA_NAME(k.referenced_object_id)'),
    localName: asOptionalText('OBJECT_NAME(k.referenced_object_id)'),
    referencedColumn: asOptionalText('COL_NAME(c.referenced_object_id, c.referenced_column_id)'),
    onUpdate: asNumber('CAST(k.update_referential_action AS int)'),
    onDelete: asNumber('CAST(k.delete_referential_action AS int)'),
  },
  (selectList) => `
SELECT ${selectList}
FROM sys.foreign_keys k
JOIN sys.foreign_key_columns c ON c.constraint_object_id = k.object_id
ORDER BY k.parent_object_id, k.name, c.constraint_column_id`,
);

export type ForeignKeyRow = RowOf<typeof foreignKeysQuery>;

export const checksQuery = catalogQuery(
  {
    relation: asNumber('parent_object_id'),
    name: asOptionalText('name'),
    definition: asText('definition'),
  },
  (selectList) => `SELECT ${selectList} FROM sys.check_constraints ORDER BY parent_object_id, name`,
);

export type CheckRow = RowOf<typeof checksQuery>;
