import { basename } from 'node:path';
import { affinityOf } from '../dialect/affinity.ts';
import { listColumns, listForeignKeys, listIndexes, listIndexSql, listObjects } from './catalog.ts';
import { readIndexDdl, readTableDdl, readViewDdl, readVirtualDdl } from '../ddl/read-ddl.ts';
import { columnType, resultType } from '../dialect/types.ts';
import type {
  Column,
  ColumnKind,
  ColumnType,
  ForeignKey,
  ForeignKeyAction,
  Index,
  IndexPart,
  PrimaryKey,
  Schema,
  SoftDelete,
  Table,
} from '../../../model/schema.ts';
import type { CatalogColumn, CatalogForeignKey, CatalogIndex, CatalogObject } from './catalog.ts';
import type { Connection } from '../driver/driver.ts';
import type { ForeignKeyDdl, TableDdl } from '../ddl/read-ddl.ts';

/** Reads the structure of an open file. Call it in a transaction for a consistent result. */
export function introspect(connection: Connection, path: string): Schema {
  const objects = listObjects(connection);
  const indexSql = listIndexSql(connection);
  const tables = objects
    .filter(({ kind }) => kind !== 'view')
    .map((object) => readTable(connection, object, indexSql));
  const byName = new Map(tables.map((table) => [nameKey(table.name), table]));
  const views = objects
    .filter(({ kind }) => kind === 'view')
    .map((object) => readView(connection, object));
  return {
    database: basename(path),
    serverVersion: String(connection.statement('SELECT sqlite_version()').all([], false)[0]?.[0]),
    tables: tables.map((table) => ({
      ...table,
      foreignKeys: table.foreignKeys.map((key) => resolveTarget(key, byName)),
    })),
    views,
    enums: [],
  };
}

/** SQLite has one schema version for all tables. */
export function withRevision(schema: Schema, revision: string): Schema {
  const revised = (table: Table): Table => ({ ...table, revision });
  return { ...schema, tables: schema.tables.map(revised), views: schema.views.map(revised) };
}

/** A table that cannot be read, such as a virtual one whose module is missing, is listed with the error as its comment. */
function readTable(
  connection: Connection,
  object: CatalogObject,
  indexSql: ReadonlyMap<string, string>,
): Table {
  try {
    return object.kind === 'virtual'
      ? readVirtualTable(connection, object)
      : readOrdinaryTable(connection, object, indexSql);
  } catch (error) {
    return { ...emptyTable(object, 'table'), comment: unreadableComment(error) };
  }
}

function emptyTable({ name }: CatalogObject, kind: Table['kind']): Table {
  return { name, localName: name, kind, columns: [], indexes: [], foreignKeys: [], checks: [] };
}

function unreadableComment(error: unknown): string {
  return `It cannot be read: ${error instanceof Error ? error.message : String(error)}.`;
}

function readOrdinaryTable(
  connection: Connection,
  object: CatalogObject,
  indexSql: ReadonlyMap<string, string>,
): Table {
  const columnRows = listColumns(connection, object.name);
  const indexes = listIndexes(connection, object.name, indexSql);
  mustBeFilled(indexes);
  const ddl = readTableDdl(object.sql);
  const key = columnRows
    .filter(({ keyPosition }) => keyPosition > 0)
    .toSorted((a, b) => a.keyPosition - b.keyPosition);
  const alias = rowIdAlias(object, key, indexes);
  const columns = columnRows.map((column) =>
    readColumn(column, { ddl, strict: object.strict, isAlias: column.name === alias }),
  );
  const rowIdColumn =
    object.withoutRowId || alias !== undefined ? undefined : freeRowIdName(columns);
  return {
    ...emptyTable(object, 'table'),
    columns,
    ...(key.length === 0
      ? {}
      : { primaryKey: { ...primaryKeyOf(key, ddl), ...keyCollations(indexes, columns) } }),
    indexes: indexes
      .filter(({ origin }) => origin !== 'primary')
      .map((index) => readIndex(index, columns, ddl)),
    foreignKeys: readForeignKeys(listForeignKeys(connection, object.name), ddl),
    checks: ddl.checks,
    ...(rowIdColumn === undefined ? {} : { rowIdColumn }),
    ...(rowIdColumn !== undefined && (key.length === 0 || hasJson(columns))
      ? rowIdVersion(connection)
      : {}),
    ...(alias === undefined && key.some(({ notNull }) => !notNull) ? { nullableKey: true } : {}),
    ...(/\bconflict\b/i.test(object.sql) ? { resolvesConflicts: true } : {}),
    ...softDeleteOf(columns),
    ...tableOptions(object, ddl),
  };
}

/**
 * libSQL keeps what a vector index has elsewhere. SQLite finds the index empty, and counts the rows of
 * the table in it, or reads keys from it: there would be none.
 */
function mustBeFilled(indexes: readonly CatalogIndex[]): void {
  const index = indexes.find(({ sql }) => /\blibsql_vector_idx\s*\(/i.test(sql ?? ''));
  if (index === undefined) return;
  throw new Error(
    `SQLite would count no rows, because the index "${index.name}" is one of libSQL. Without this index the table can be read`,
  );
}

/** INTEGER PRIMARY KEY is an alias of the rowid and has no index; with DESC it is not. https://www.sqlite.org/lang_createtable.html#rowid */
function rowIdAlias(
  { withoutRowId }: CatalogObject,
  key: readonly CatalogColumn[],
  indexes: readonly CatalogIndex[],
): string | undefined {
  const [column, another] = key;
  if (withoutRowId || column?.type.toUpperCase() !== 'INTEGER' || another !== undefined)
    return undefined;
  return indexes.some(({ origin }) => origin === 'primary') ? undefined : column.name;
}

/** The first of the rowid's names that no column has. */
function freeRowIdName(columns: readonly Pick<Column, 'name'>[]): string | undefined {
  const usedNames = new Set(columns.map(({ name }) => name.toLowerCase()));
  return ['rowid', '_rowid_', 'oid'].find((name) => !usedNames.has(name));
}

interface ColumnContext {
  readonly ddl: TableDdl;
  readonly strict: boolean;
  readonly isAlias: boolean;
}

function readColumn(column: CatalogColumn, { ddl, strict, isAlias }: ColumnContext): Column {
  const name = column.name.toLowerCase();
  const expression = ddl.generated.get(name);
  const isGenerated = column.hidden === 'virtual' || column.hidden === 'stored';
  const collation = ddl.collations.get(name);
  const type = columnType(column.type, strict);
  return {
    name: column.name,
    type,
    dynamic: true,
    ...(convertsDigits(column.type, type, strict) ? { convertsDigits: true } : {}),
    nativeType: column.type,
    nullable: !column.notNull && !isAlias,
    ...(column.default === null ? {} : { default: column.default }),
    ...(isAlias ? { autoIncrement: true } : {}),
    ...(isGenerated
      ? { generated: { expression: expression ?? '', stored: column.hidden === 'stored' } }
      : {}),
    ...(collation === undefined ? {} : { collation }),
  };
}

const nonNumericKinds: ReadonlySet<ColumnKind> = new Set([
  ...(['text', 'uuid', 'date', 'time', 'timestamp', 'interval', 'json'] as const),
]);

/** Whether a column converts texts of digits to numbers. Types such as STRING, UUID, DATETIME and JSON have numeric affinity. */
function convertsDigits(declared: string, { kind }: ColumnType, strict: boolean): boolean {
  const affinity = affinityOf(declared, strict);
  return nonNumericKinds.has(kind) && affinity !== 'text' && affinity !== 'blob';
}

function primaryKeyOf(
  key: readonly CatalogColumn[],
  { primaryKeyName: name }: TableDdl,
): PrimaryKey {
  return { ...(name === undefined ? {} : { name }), columns: key.map((column) => column.name) };
}

/** The collations of the primary key's index that differ from those of its columns. */
function keyCollations(
  indexes: readonly CatalogIndex[],
  columns: readonly Column[],
): Pick<PrimaryKey, 'collations'> {
  const parts = indexes.find(({ origin }) => origin === 'primary')?.parts ?? [];
  const collations = parts.flatMap((part): [string, string][] => {
    const column = columns.find(({ name }) => name === part.column);
    const differs = (column?.collation ?? 'BINARY').toUpperCase() !== part.collation.toUpperCase();
    return part.column !== null && differs ? [[part.column, part.collation]] : [];
  });
  return collations.length === 0 ? {} : { collations: Object.fromEntries(collations) };
}

/** A UNIQUE constraint has the name in its DDL, or none. The name of its index is internal to SQLite. */
function readIndex(index: CatalogIndex, columns: readonly Column[], ddl: TableDdl): Index {
  const isConstraint = index.origin === 'unique';
  const { expressions, where } = index.sql === null ? { expressions: [] } : readIndexDdl(index.sql);
  return {
    name: isConstraint ? constraintName(index, ddl) : index.name,
    unique: index.unique,
    parts: index.parts.map((part, i) => readPart(part, columns, expressions[i] ?? '')),
    ...(where === undefined ? {} : { where }),
    ...(isConstraint ? { constraint: true } : {}),
  };
}

function constraintName({ parts }: CatalogIndex, { uniques }: TableDdl): string {
  const columns = parts.map(({ column }) => column ?? '');
  return uniques.find((unique) => isSameNames(unique.columns, columns))?.name ?? '';
}

function readPart(
  part: CatalogIndex['parts'][number],
  columns: readonly Column[],
  expression: string,
): IndexPart {
  const columnCollation = columns.find(({ name }) => name === part.column)?.collation ?? 'BINARY';
  return {
    ...(part.column === null ? { expression } : { column: part.column }),
    ...(part.descending ? { descending: true } : {}),
    ...(part.collation.toUpperCase() === columnCollation.toUpperCase()
      ? {}
      : { collation: part.collation }),
  };
}

function readForeignKeys(keys: readonly CatalogForeignKey[], ddl: TableDdl): readonly ForeignKey[] {
  return keys.map((key, i) => {
    const declared = ddl.foreignKeys[i];
    const matching =
      declared !== undefined && isSameNames(declared.columns, key.columns) ? declared : undefined;
    return foreignKeyOf(key, matching);
  });
}

function foreignKeyOf(key: CatalogForeignKey, ddl: ForeignKeyDdl | undefined): ForeignKey {
  return {
    ...(ddl?.name === undefined ? {} : { name: ddl.name }),
    columns: key.columns,
    table: key.table,
    referencedColumns: key.referencedColumns,
    onUpdate: key.onUpdate.toLowerCase() as ForeignKeyAction,
    onDelete: key.onDelete.toLowerCase() as ForeignKeyAction,
    ...(ddl?.deferrable === undefined ? {} : { deferrable: ddl.deferrable }),
  };
}

/** Resolves names to those of the referenced table, and omitted columns to its primary key. A missing table is left as it is. */
function resolveTarget(key: ForeignKey, tables: ReadonlyMap<string, Table>): ForeignKey {
  const target = tables.get(nameKey(key.table));
  if (target === undefined) return key;
  const referencedNames = key.referencedColumns.map(
    (name) => target.columns.find((column) => isSameName(column.name, name))?.name ?? name,
  );
  const referencedColumns =
    referencedNames.length > 0 ? referencedNames : (target.primaryKey?.columns ?? []);
  return { ...key, table: target.name, referencedColumns };
}

function softDeleteOf(columns: readonly Column[]): { readonly softDelete?: SoftDelete } {
  const column = columns.find(({ name, nullable, generated, type }) => {
    const isTime = type.kind === 'timestamp' || type.kind === 'date';
    return isSameName(name, 'deleted_at') && nullable && generated === undefined && isTime;
  });
  return column === undefined ? {} : { softDelete: { column: column.name, mode: 'time' } };
}

function tableOptions(
  { strict, withoutRowId }: CatalogObject,
  ddl: TableDdl,
): Pick<Table, 'options'> {
  const options = [
    ...(strict ? ['STRICT'] : []),
    ...(withoutRowId ? ['WITHOUT ROWID'] : []),
    ...(ddl.autoIncrement ? ['AUTOINCREMENT'] : []),
  ];
  return options.length === 0
    ? {}
    : { options: Object.fromEntries(options.map((name) => [name, 'true'])) };
}

/** VACUUM may renumber rows. It increments the schema version: https://www.sqlite.org/pragma.html#pragma_schema_version */
function rowIdVersion(connection: Connection): Pick<Table, 'rowIdVersion'> {
  const [[version] = []] = connection.statement('PRAGMA schema_version').all([], false);
  return { rowIdVersion: String(version) };
}

function hasJson(columns: readonly Column[]): boolean {
  return columns.some(({ type }) => type.kind === 'json');
}

function readVirtualTable(connection: Connection, object: CatalogObject): Table {
  const columnRows = listColumns(connection, object.name);
  const columns = columnRows
    .filter(({ hidden }) => hidden !== 'hidden')
    .map((column) => readColumn(column, { ddl: noDdl, strict: false, isAlias: false }));
  const number = freeRowIdName(columnRows);
  const rowIdColumn =
    number !== undefined && isReadable(connection, object, number) ? number : undefined;
  return {
    ...emptyTable(object, 'table'),
    columns,
    ...(rowIdColumn === undefined ? {} : { rowIdColumn }),
    withoutReturning: true,
    ...(/\bUSING\s+fts\d.*\bcontent\s*=/is.test(object.sql) ? { isIndexOnly: true } : {}),
    options: { VIRTUAL: readVirtualDdl(object.sql) },
  };
}

const noDdl: TableDdl = readTableDdl('');

/** Whether a query can read the column. A virtual table WITHOUT ROWID has no rowid. */
function isReadable(connection: Connection, { name }: CatalogObject, column: string): boolean {
  try {
    connection.prepare(`SELECT ${column} FROM "${name.replaceAll('"', '""')}"`);
    return true;
  } catch {
    return false;
  }
}

/** A view's column has the declared type of the table's column that it selects; an expression has none. */
function readView(connection: Connection, object: CatalogObject): Table {
  const view = { ...emptyTable(object, 'view'), definition: readViewDdl(object.sql) };
  try {
    const columns = connection
      .prepare(`SELECT * FROM "${object.name.replaceAll('"', '""')}"`)
      .columns();
    return { ...view, columns: columns.map(({ name, type }) => viewColumn(name, type ?? '')) };
  } catch (error) {
    return { ...view, comment: unreadableComment(error) };
  }
}

function viewColumn(name: string, nativeType: string): Column {
  return { name, type: resultType(nativeType), dynamic: true, nativeType, nullable: true };
}

function isSameName(a: string, b: string): boolean {
  return nameKey(a) === nameKey(b);
}

/** SQLite ignores the case of names in ASCII only. */
function nameKey(name: string): string {
  return name.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function isSameNames(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, i) => isSameName(name, b[i] ?? ''));
}
