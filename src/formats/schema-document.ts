/**
 * The document that JSON and YAML files of a schema contain: tables as in schema responses of the
 * API, followed by everything else that the schema has. Empty members are left out.
 * `schema-from-document.ts` reads it.
 */
import type { Relation } from '../model/relations.ts';
import type {
  Check,
  Column,
  EnumType,
  ForeignKey,
  Index,
  IndexPart,
  Schema,
  Table,
} from '../model/schema.ts';

export interface SchemaSource {
  readonly schema: Schema;
  /** `Dialect.name` of the source database. */
  readonly dialect: string;
  /** Product name of that database: `PostgreSQL`. */
  readonly title: string;
  relationsOf(table: string): readonly Relation[];
  /** The columns that a diagram shows. All when absent. */
  readonly columns?: 'all' | 'keys' | 'none' | undefined;
}

/** The file of a schema, and a warning for everything that the format cannot represent. */
export interface SchemaText {
  readonly text: string;
  readonly warnings: readonly string[];
}

/** A JSON value; members that are `undefined` are left out. */
export type DocumentValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly DocumentValue[]
  | { readonly [name: string]: DocumentValue };

export function schemaToDocument({ schema, dialect, relationsOf }: SchemaSource): DocumentValue {
  const { database, serverVersion, tables, views, enums, externalObjects } = schema;
  const object = (table: Table): DocumentValue => tableObject(table, relationsOf(table.name));
  return {
    driver: dialect,
    database,
    server_version: serverVersion,
    tables: tables.map(object),
    views: views.map(object),
    enums: enums.map(enumObject),
    external_objects: externalObjects && externalObject(externalObjects),
  };
}

function externalObject({
  extensionNamespaces,
  ...others
}: NonNullable<Schema['externalObjects']>): DocumentValue {
  return { ...others, extension_schemas: extensionNamespaces && { ...extensionNamespaces } };
}

/** `row_count` is 0, since the file contains no rows; clients of the API expect the member. */
function tableObject(table: Table, relations: readonly Relation[]): DocumentValue {
  const { name, namespace, localName, primaryKey, softDelete } = table;
  return {
    name,
    schema: namespace,
    local_name: localName === localNameIn(name, namespace) ? undefined : localName,
    kind: table.kind === 'table' ? undefined : table.kind,
    comment: table.comment,
    columns: table.columns.map((column) => documentColumn(table, column)),
    primary_key: primaryKey?.columns,
    primary_key_name: primaryKey?.name,
    // Always present: for a table without the list, the reader derives keys from relations.
    foreign_keys: table.foreignKeys.map(foreignKeyObject),
    indexes: nonEmpty(table.indexes.map(documentIndex)),
    checks: nonEmpty(table.checks.map(checkObject)),
    soft_delete_column: softDelete?.column,
    soft_delete_mode: softDelete?.mode === 'time' ? undefined : softDelete?.mode,
    row_id_column: table.rowIdColumn,
    nullable_key: table.nullableKey,
    options: table.options,
    definition: table.definition,
    needs: table.needs,
    relations: relations.map(relationObject),
    row_count: 0,
  };
}

/** `sales.orders` in the namespace `sales` has the local name `orders`. */
export function localNameIn(name: string, namespace: string | undefined): string {
  return namespace !== undefined && name.startsWith(`${namespace}.`)
    ? name.slice(namespace.length + 1)
    : name;
}

/** Without `storage`, which follows from the native type. */
function neutralType(type: Column['type']): DocumentValue {
  const { storage: _storage, ...neutral } = type as Column['type'] & { readonly storage?: unknown };
  return neutral.kind === 'array' ? { ...neutral, of: neutralType(neutral.of) } : neutral;
}

function documentColumn(table: Table, column: Column): DocumentValue {
  return {
    ...columnObject(table, column),
    data_type: neutralType(column.type),
    is_dynamic: column.dynamic,
    is_auto_increment: column.autoIncrement,
    is_identity_always: column.identityAlways,
    numbering: column.numbering,
    generated_expression: column.generated?.expression,
    is_stored: column.generated?.stored,
    collation: column.collation,
    on_update: column.onUpdate,
    is_row_number: column.isRowNumber,
    is_invisible: column.invisible,
    is_unversioned: column.unversioned,
    needs: column.needs,
    comment: column.comment,
  };
}

// Members that schema responses of the API have too.

/** A column as in schema responses of the API. */
export function columnObject(table: Table, column: Column) {
  const isIn = (columns: readonly string[] | undefined): boolean =>
    columns?.includes(column.name) ?? false;
  return {
    name: column.name,
    type: column.nativeType,
    is_primary_key: isIn(table.primaryKey?.columns),
    is_nullable: column.nullable,
    default_value: column.default ?? '',
    is_foreign_key: table.foreignKeys.some(({ columns }) => isIn(columns)),
  };
}

export function foreignKeyObject(key: ForeignKey) {
  return {
    name: key.name,
    columns: key.columns,
    references: { table: key.table, columns: key.referencedColumns },
    on_update: key.onUpdate,
    on_delete: key.onDelete,
    deferrable: key.deferrable,
  };
}

function checkObject({ name, column, expression, enforced, needs }: Check): DocumentValue {
  return { name, column, expression, is_enforced: enforced, needs };
}

function documentIndex(index: Index): DocumentValue {
  return { ...indexObject(index), is_invisible: index.invisible, needs: index.needs };
}

export function indexObject(index: Index) {
  return {
    name: index.name,
    is_unique: index.unique,
    is_constraint: index.constraint,
    parts: index.parts.map(partObject),
    where: index.where,
    method: index.method,
    included: index.included,
    nulls_not_distinct: index.nullsNotDistinct,
    comment: index.comment,
  };
}

function partObject(part: IndexPart): DocumentValue {
  return {
    column: part.column,
    expression: part.expression,
    descending: part.descending,
    prefix_length: part.prefixLength,
    collation: part.collation,
    operator_class: part.operatorClass,
  };
}

function enumObject({ name, namespace, values, comment }: EnumType): DocumentValue {
  return { name, schema: namespace, values, comment };
}

/** Columns of composite keys are joined by commas; arrays of them are added. */
export function relationObject(relation: Relation): { readonly [name: string]: DocumentValue } {
  const { foreignKeys, referenceKeys, joinForeignKeys, joinReferenceKeys, polymorphic } = relation;
  const isComposite = foreignKeys.length > 1 || (joinForeignKeys?.length ?? 0) > 1;
  const ifComposite = (keys: readonly string[] | undefined): readonly string[] | undefined =>
    isComposite ? keys : undefined;
  return {
    name: relation.name,
    type: relation.type,
    table: relation.table,
    foreign_key: foreignKeys.join(','),
    reference_key: referenceKeys.join(','),
    foreign_keys: ifComposite(foreignKeys),
    reference_keys: ifComposite(referenceKeys),
    join_table: relation.joinTable,
    join_foreign_key: joinForeignKeys?.join(','),
    join_reference_key: joinReferenceKeys?.join(','),
    join_foreign_keys: ifComposite(joinForeignKeys),
    join_reference_keys: ifComposite(joinReferenceKeys),
    polymorphic_type: polymorphic?.column,
    polymorphic_value: polymorphic?.value,
  };
}

function nonEmpty(list: readonly DocumentValue[]): readonly DocumentValue[] | undefined {
  return list.length === 0 ? undefined : list;
}
