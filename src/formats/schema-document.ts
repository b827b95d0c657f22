/**
 * A schema as JSON and YAML hold it: tables as interface.md has them, and behind those fields all
 * else that the structure has. What says nothing is left out. `schema-from-document.ts` reads it.
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

export interface SchemaWriting {
  readonly schema: Schema;
  /** `Dialect.name` of the database that the schema is from. */
  readonly dialect: string;
  /** What people call that database: `PostgreSQL`. */
  readonly title: string;
  relationsOf(table: string): readonly Relation[];
}

/** A schema as a file, and what the format could not hold: a sentence each. */
export interface SchemaText {
  readonly text: string;
  readonly warnings: readonly string[];
}

/** Text, numbers, true and false, lists and objects of these; `undefined` members are not there. */
export type Plain =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Plain[]
  | { readonly [name: string]: Plain };

export function documentOf({ schema, dialect, relationsOf }: SchemaWriting): Plain {
  const { database, serverVersion, tables, views, enums, surroundings } = schema;
  const object = (table: Table): Plain => tableObject(table, relationsOf(table.name));
  return {
    driver: dialect,
    database,
    server_version: serverVersion,
    tables: tables.map(object),
    views: views.map(object),
    enums: enums.map(enumObject),
    surroundings: surroundings === undefined ? undefined : { ...surroundings },
  };
}

/** `row_count` is there for those who expect it: a file of structure holds no rows. */
function tableObject(table: Table, relations: readonly Relation[]): Plain {
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
    // Also where there are none: from a table without the list, relations would be taken for keys.
    foreign_keys: table.foreignKeys.map(foreignKeyObject),
    indexes: filled(table.indexes.map(documentIndex)),
    checks: filled(table.checks.map(checkObject)),
    soft_delete_column: softDelete?.column,
    soft_delete_flavour: softDelete?.flavour === 'time' ? undefined : softDelete?.flavour,
    row_id_column: table.rowIdColumn,
    nullable_key: table.nullableKey,
    options: table.options,
    definition: table.definition,
    needs: table.needs,
    relations: relations.map(relationObject),
    row_count: 0,
  };
}

/** `sales.orders` in the namespace `sales` is `orders` there. */
export function localNameIn(name: string, namespace: string | undefined): string {
  return namespace !== undefined && name.startsWith(`${namespace}.`)
    ? name.slice(namespace.length + 1)
    : name;
}

/** How a type stores its values follows from the native type. */
function neutralType(type: Column['type']): Plain {
  const { storage: _storage, ...neutral } = type as Column['type'] & { readonly storage?: unknown };
  return neutral.kind === 'array' ? { ...neutral, of: neutralType(neutral.of) } : neutral;
}

function documentColumn(table: Table, column: Column): Plain {
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
    needs: column.needs,
    comment: column.comment,
  };
}

// What the schema answer says too.

/** A column as interface.md has it. */
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

function checkObject({ name, expression, enforced, needs }: Check): Plain {
  return { name, expression, is_enforced: enforced, needs };
}

function documentIndex(index: Index): Plain {
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

function partObject(part: IndexPart): Plain {
  return {
    column: part.column,
    expression: part.expression,
    descending: part.descending,
    prefix_length: part.prefixLength,
    collation: part.collation,
    operator_class: part.operatorClass,
  };
}

function enumObject({ name, namespace, values, comment }: EnumType): Plain {
  return { name, schema: namespace, values, comment };
}

/** Composite keys are joined by commas, with arrays beside them. */
export function relationObject(relation: Relation): { readonly [name: string]: Plain } {
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

function filled(list: readonly Plain[]): readonly Plain[] | undefined {
  return list.length === 0 ? undefined : list;
}
