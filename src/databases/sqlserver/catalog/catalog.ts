import { revision } from './revision.ts';

/** Queries on the catalog views, which show only what the login may see. */

export const serverQuery = `
SELECT DB_NAME(), CAST(SERVERPROPERTY('ProductVersion') AS nvarchar(128)), SCHEMA_NAME()`;

/** User tables and views. temporal_type 1 is a history table, 2 a table that has one. */
export const relationsQuery = `
SELECT o.object_id, SCHEMA_NAME(o.schema_id), o.name, o.type, m.definition, CAST(c.value AS nvarchar(4000)), t.temporal_type,
  ${revision}
FROM sys.objects o
LEFT JOIN sys.tables t ON t.object_id = o.object_id
LEFT JOIN sys.sql_modules m ON m.object_id = o.object_id AND o.type = 'V'
LEFT JOIN sys.extended_properties c
  ON c.class = 1 AND c.major_id = o.object_id AND c.minor_id = 0 AND c.name = 'MS_Description'
WHERE o.type IN ('U', 'V') AND o.is_ms_shipped = 0
ORDER BY SCHEMA_NAME(o.schema_id), o.name`;

/**
 * Columns with the names of their types and of the underlying system types. Hidden columns that are
 * not part of a period belong to graph tables and cannot be read.
 */
export const columnsQuery = `
SELECT c.object_id, c.column_id, c.name, t.name, b.name, t.is_user_defined, SCHEMA_NAME(t.schema_id),
  CAST(c.max_length AS int), CAST(c.precision AS int), CAST(c.scale AS int), c.is_nullable, c.is_identity, d.definition,
  k.definition, k.is_persisted, CAST(c.generated_always_type AS int),
  CASE WHEN c.collation_name <> CAST(DATABASEPROPERTYEX(DB_NAME(), 'Collation') AS nvarchar(128)) THEN c.collation_name END,
  CAST(e.value AS nvarchar(4000))
FROM sys.columns c
JOIN sys.objects o ON o.object_id = c.object_id AND o.type IN ('U', 'V') AND o.is_ms_shipped = 0
JOIN sys.types t ON t.user_type_id = c.user_type_id
LEFT JOIN sys.types b ON b.user_type_id = c.system_type_id
LEFT JOIN sys.default_constraints d ON d.object_id = c.default_object_id
LEFT JOIN sys.computed_columns k ON k.object_id = c.object_id AND k.column_id = c.column_id
LEFT JOIN sys.extended_properties e
  ON e.class = 1 AND e.major_id = c.object_id AND e.minor_id = c.column_id AND e.name = 'MS_Description'
WHERE c.is_hidden = 0 OR c.generated_always_type <> 0
ORDER BY c.object_id, c.column_id`;

/** One row for each column of each index; heaps are excluded. */
export const indexesQuery = `
SELECT i.object_id, i.index_id, i.name, i.is_unique, i.is_primary_key, i.is_unique_constraint, i.type_desc,
  i.filter_definition, CAST(c.key_ordinal AS int), c.column_id, c.is_descending_key, c.is_included_column, i.is_disabled
FROM sys.indexes i
JOIN sys.objects o ON o.object_id = i.object_id AND o.type = 'U' AND o.is_ms_shipped = 0
JOIN sys.index_columns c ON c.object_id = i.object_id AND c.index_id = i.index_id
WHERE i.type <> 0 AND i.is_hypothetical = 0
ORDER BY i.object_id, i.index_id, c.key_ordinal, c.index_column_id`;

/** One row for each column of each foreign key, with the names of the referenced table and columns. */
export const foreignKeysQuery = `
SELECT k.parent_object_id, k.object_id, k.name, c.parent_column_id, OBJECT_SCHEMA_NAME(k.referenced_object_id),
  OBJECT_NAME(k.referenced_object_id), COL_NAME(c.referenced_object_id, c.referenced_column_id),
  CAST(k.update_referential_action AS int), CAST(k.delete_referential_action AS int)
FROM sys.foreign_keys k
JOIN sys.foreign_key_columns c ON c.constraint_object_id = k.object_id
ORDER BY k.parent_object_id, k.name, c.constraint_column_id`;

export const checksQuery = `
SELECT parent_object_id, name, definition FROM sys.check_constraints ORDER BY parent_object_id, name`;
