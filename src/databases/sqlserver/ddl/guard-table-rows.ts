/** The rows that a table has in the catalog, as guards query them. */
import { isSameName } from '../../../sql/ddl/change-table.ts';
import { generatedName, undetermined } from '../../../sql/ddl/guards/value.ts';
import type { Column, Index, Table } from '../../../model/schema.ts';
import type { Row } from '../../../sql/ddl/guards/scope.ts';
import type { ObjectId, Value } from '../../../sql/ddl/guards/value.ts';

export const defaultNamespace = 'dbo';

export function idOf(...parts: readonly string[]): ObjectId {
  return { id: parts.join('.').toLowerCase() };
}

export function schemaIdOf(namespace: string | undefined): ObjectId {
  return idOf('schema', namespace ?? defaultNamespace);
}

export function objectIdOf(namespace: string | undefined, name: string): ObjectId {
  return idOf('object', namespace ?? defaultNamespace, name);
}

export function columnIdOf(table: Table, column: string): ObjectId {
  return idOf('column', table.name, column);
}

const descriptions: Readonly<Record<string, string>> = {
  U: 'USER_TABLE',
  V: 'VIEW',
  PK: 'PRIMARY_KEY_CONSTRAINT',
  UQ: 'UNIQUE_CONSTRAINT',
  F: 'FOREIGN_KEY_CONSTRAINT',
  C: 'CHECK_CONSTRAINT',
  D: 'DEFAULT_CONSTRAINT',
  P: 'SQL_STORED_PROCEDURE',
  FN: 'SQL_SCALAR_FUNCTION',
  IF: 'SQL_INLINE_TABLE_VALUED_FUNCTION',
  TF: 'SQL_TABLE_VALUED_FUNCTION',
  TR: 'SQL_TRIGGER',
  SO: 'SEQUENCE_OBJECT',
  SN: 'SYNONYM',
};

interface Described {
  readonly type: string;
  /** Undefined for a name that the server generates. */
  readonly name: string | undefined;
  readonly namespace: string | undefined;
  readonly id: ObjectId;
  readonly parent?: Table;
}

/** A row of sys.objects and of the relations that extend it, with the columns of sysobjects. */
export function objectRow({ type, name, namespace, id, parent }: Described): Row {
  const parentId = parent === undefined ? 0 : objectIdOf(parent.namespace, parent.localName);
  const shownName = name ?? generatedName;
  const schema = namespace ?? defaultNamespace;
  return {
    name: shownName,
    object_id: id,
    schema_id: schemaIdOf(namespace),
    parent_object_id: parentId,
    type,
    type_desc: descriptions[type] ?? undetermined,
    is_ms_shipped: 0,
    id,
    constid: id,
    xtype: type,
    parent_obj: parentId,
    uid: schemaIdOf(namespace),
    routine_name: shownName,
    routine_schema: schema,
    routine_type: type === 'P' ? 'PROCEDURE' : 'FUNCTION',
    table_name: parent?.localName ?? shownName,
    table_schema: parent === undefined ? schema : (parent.namespace ?? defaultNamespace),
    table_type: type === 'V' ? 'VIEW' : 'BASE TABLE',
    constraint_name: shownName,
    constraint_schema: schema,
    constraint_type: constraintTypes[type] ?? null,
  };
}

const constraintTypes: Readonly<Record<string, string>> = {
  PK: 'PRIMARY KEY',
  UQ: 'UNIQUE',
  F: 'FOREIGN KEY',
  C: 'CHECK',
};

/** The rows of one table in each relation, which are read once for each state of a table. */
export interface TableRows {
  readonly objects: readonly Row[];
  readonly columns: readonly Row[];
  readonly indexes: readonly Row[];
  readonly indexColumns: readonly Row[];
  readonly keyColumns: readonly Row[];
  readonly comments: readonly Row[];
}

const rowsOfTables = new WeakMap<Table, TableRows>();

export function rowsOf(table: Table): TableRows {
  const cachedRows = rowsOfTables.get(table);
  if (cachedRows !== undefined) return cachedRows;
  const rows = {
    objects: objectsOf(table),
    columns: table.columns.map((column) => columnRow(table, column)),
    indexes: indexesOf(table),
    indexColumns: keysOf(table).flatMap((key) => indexColumnsOf(table, key)),
    keyColumns: keyColumnsOf(table),
    comments: commentsOf(table),
  };
  rowsOfTables.set(table, rows);
  return rows;
}

export function tableIdOf({ namespace, localName }: Table): ObjectId {
  return objectIdOf(namespace, localName);
}

function objectsOf(table: Table): readonly Row[] {
  const { namespace, localName, kind, primaryKey, indexes, foreignKeys, checks } = table;
  const type = kind === 'view' ? 'V' : 'U';
  const tableRow = objectRow({ type, name: localName, namespace, id: tableIdOf(table) });
  const constraint = (
    part: { readonly name?: string },
    constraintType: string,
    at: number,
  ): Row => {
    const name = part.name === '' ? undefined : part.name;
    const id = objectIdOf(namespace, name ?? `${localName}/${constraintType}${at}`);
    return objectRow({ type: constraintType, name, namespace, id, parent: table });
  };
  return [
    { ...tableRow, temporal_type: undetermined },
    ...(primaryKey === undefined ? [] : [constraint(primaryKey, 'PK', 0)]),
    ...indexes
      .filter((index) => index.constraint === true)
      .map((index, i) => constraint(index, 'UQ', i)),
    ...foreignKeys.map((key, i) => ({
      ...constraint(key, 'F', i),
      referenced_object_id: referencedId(key.table),
      rkeyid: referencedId(key.table),
      fkeyid: tableIdOf(table),
    })),
    ...checks.map((check, i) => constraint(check, 'C', i)),
  ];
}

/** The id for the name of a table as foreign keys have it. */
function referencedId(name: string): ObjectId {
  const dot = name.indexOf('.');
  return dot < 0
    ? objectIdOf(undefined, name)
    : objectIdOf(name.slice(0, dot), name.slice(dot + 1));
}

function columnRow(table: Table, column: Column): Row {
  const { name, nativeType, generated, autoIncrement, default: defaultText } = column;
  const id = columnIdOf(table, name);
  const isKey = table.primaryKey?.columns.some((key) => isSameName(key, name)) === true;
  const isNullable = column.nullable && !isKey;
  return {
    name,
    object_id: tableIdOf(table),
    id: tableIdOf(table),
    column_id: id,
    colid: id,
    is_nullable: Number(isNullable),
    isnullable: Number(isNullable),
    is_computed: Number(generated !== undefined),
    is_identity: Number(autoIncrement === true),
    default_object_id: defaultText === undefined ? 0 : idOf('default', table.name, name),
    max_length: byteLength(nativeType),
    user_type_id: undetermined,
    table_name: table.localName,
    table_schema: table.namespace ?? defaultNamespace,
    column_name: name,
    data_type: baseType(nativeType),
    is_nullable_word: isNullable ? 'YES' : 'NO',
    character_maximum_length: characterLength(nativeType),
    column_default: defaultText === undefined ? null : undetermined,
  };
}

function baseType(nativeType: string): string {
  return nativeType.replace(/\s*\(.*$/s, '').toLowerCase();
}

function lengthIn(nativeType: string): number | undefined {
  const [, length] = /\(\s*(\d+|max)\s*\)/i.exec(nativeType) ?? [];
  if (length === undefined) return undefined;
  return length.toLowerCase() === 'max' ? -1 : Number(length);
}

const isTextType = /^n?(?:var)?char$|^varbinary$|^binary$/;

function characterLength(nativeType: string): Value {
  const base = baseType(nativeType);
  if (isTextType.test(base)) return lengthIn(nativeType) ?? 1;
  return ['text', 'ntext', 'image', 'xml'].includes(base) ? undetermined : null;
}

const byteLengths: Readonly<Record<string, number>> = {
  bit: 1,
  tinyint: 1,
  smallint: 2,
  int: 4,
  bigint: 8,
  real: 4,
  money: 8,
  smallmoney: 4,
  date: 3,
  smalldatetime: 4,
  datetime: 8,
  uniqueidentifier: 16,
};

/** Bytes; -1 for `(max)`. */
export function byteLength(nativeType: string): number | typeof undetermined {
  const base = baseType(nativeType);
  if (!isTextType.test(base)) return byteLengths[base] ?? undetermined;
  const length = lengthIn(nativeType) ?? 1;
  return length > 0 && base.startsWith('n') ? length * 2 : length;
}

interface Key extends Pick<Index, 'parts'> {
  readonly name: string | undefined;
  readonly id: ObjectId;
  readonly type: 'PK' | 'UQ' | '';
  readonly unique: boolean;
}

/** The primary key and the indexes. */
function keysOf(table: Table): readonly Key[] {
  const { primaryKey, indexes, name: owner } = table;
  const key = primaryKey && {
    name: primaryKey.name,
    id: idOf('index', owner, primaryKey.name ?? '/pk'),
    type: 'PK' as const,
    unique: true,
    parts: primaryKey.columns.map((column) => ({ column })),
  };
  const indexRows = indexes.map(({ name, unique, parts, constraint }, i) => ({
    name: name === '' ? undefined : name,
    id: idOf('index', owner, name === '' ? `/${i}` : name),
    type: constraint === true ? ('UQ' as const) : ('' as const),
    unique,
    parts,
  }));
  return key === undefined ? indexRows : [key, ...indexRows];
}

function indexesOf(table: Table): readonly Row[] {
  const rows = keysOf(table).map(({ name, id, type, unique }): Row => ({
    name: name ?? generatedName,
    object_id: tableIdOf(table),
    id: tableIdOf(table),
    index_id: id,
    indid: id,
    is_unique: Number(unique),
    is_primary_key: Number(type === 'PK'),
    is_unique_constraint: Number(type === 'UQ'),
    has_filter: undetermined,
  }));
  // Without a clustered index, the table itself is an index without a name.
  const heap = {
    name: null,
    object_id: tableIdOf(table),
    id: tableIdOf(table),
    is_primary_key: 0,
    is_unique: 0,
    is_unique_constraint: 0,
  };
  return table.primaryKey === undefined ? [heap, ...rows] : rows;
}

function indexColumnsOf(table: Table, { id, parts }: Key): readonly Row[] {
  return parts.flatMap(({ column }) =>
    column === undefined
      ? []
      : [{ object_id: tableIdOf(table), index_id: id, column_id: columnIdOf(table, column) }],
  );
}

/** Rows of KEY_COLUMN_USAGE and sys.foreign_key_columns. */
function keyColumnsOf(table: Table): readonly Row[] {
  const { namespace, localName, primaryKey, indexes, foreignKeys } = table;
  const rowOf = (name: string | undefined, column: string): Row => ({
    constraint_name: name === undefined || name === '' ? generatedName : name,
    constraint_schema: namespace ?? defaultNamespace,
    table_name: localName,
    table_schema: namespace ?? defaultNamespace,
    column_name: column,
  });
  return [
    ...(primaryKey?.columns ?? []).map((column) => rowOf(primaryKey?.name, column)),
    ...indexes
      .filter((index) => index.constraint === true)
      .flatMap(({ name, parts }) => parts.map(({ column = '' }) => rowOf(name, column))),
    ...foreignKeys.flatMap((key, i) =>
      key.columns.map((column) => ({
        ...rowOf(key.name, column),
        constraint_object_id: objectIdOf(namespace, key.name ?? `${localName}/F${i}`),
        parent_object_id: tableIdOf(table),
        parent_column_id: columnIdOf(table, column),
        referenced_object_id: referencedId(key.table),
      })),
    ),
  ];
}

/** Comments, as extended properties. */
function commentsOf(table: Table): readonly Row[] {
  const property = (comment: string, minor: Value): Row => ({
    name: 'MS_Description',
    value: comment,
    class: 1,
    major_id: tableIdOf(table),
    minor_id: minor,
  });
  return [
    ...(table.comment === undefined ? [] : [property(table.comment, 0)]),
    ...table.columns.flatMap(({ name, comment }) =>
      comment === undefined ? [] : [property(comment, columnIdOf(table, name))],
    ),
  ];
}
