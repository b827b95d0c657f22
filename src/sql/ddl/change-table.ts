/** Changes that ALTER TABLE makes to a table that the file has created. */
import { changeTable, nameOfTable } from './draft.ts';
import { withConstraints } from './table-body.ts';
import type { Column, ForeignKey, Index, Table } from '../../model/schema.ts';
import type { SchemaDraft, TableReference } from './draft.ts';
import type { TableBody } from './ddl-rules.ts';

/** Position of a column that ALTER TABLE adds: first, or after another column. */
export interface ColumnPosition {
  /** The preceding column; undefined for FIRST. */
  readonly after: string | undefined;
}

/** Adds the columns, keys, indexes and constraints of a parsed body to the table. */
export function withBody(table: Table, body: TableBody, place?: ColumnPosition): Table {
  const { columns, primaryKey, indexes, foreignKeys, checks } = body;
  return {
    ...table,
    columns: insertColumns(table.columns, columns, place),
    ...(primaryKey === undefined ? {} : { primaryKey }),
    indexes: [...table.indexes, ...indexes],
    foreignKeys: [...table.foreignKeys, ...foreignKeys],
    checks: [...table.checks, ...checks],
    ...withConstraints(table, body),
  };
}

function insertColumns(
  columns: readonly Column[],
  added: readonly Column[],
  place: ColumnPosition | undefined,
): readonly Column[] {
  if (place === undefined) return [...columns, ...added];
  const at = place.after === undefined ? 0 : columnIndex(columns, place.after) + 1;
  return columns.toSpliced(at, 0, ...added);
}

function columnIndex(columns: readonly Column[], name: string): number {
  return columns.findIndex((column) => isSameName(column.name, name));
}

export function isSameName(one: string | undefined, two: string): boolean {
  return one?.toLowerCase() === two.toLowerCase();
}

export function hasColumn({ columns }: Table, name: string): boolean {
  return columnIndex(columns, name) >= 0;
}

export function hasConstraint(table: Table, name: string): boolean {
  const { primaryKey, indexes, foreignKeys, checks } = table;
  return [primaryKey, ...indexes, ...foreignKeys, ...checks].some((each) =>
    isSameName(each?.name, name),
  );
}

export function changeColumn(
  table: Table,
  name: string,
  change: (column: Column) => Column,
): Table {
  const columns = table.columns.map((column) =>
    isSameName(column.name, name) ? change(column) : column,
  );
  return { ...table, columns };
}

/** Removes the column and the keys and indexes that include it. */
export function withoutColumn(table: Table, name: string): Table {
  const others = (names: readonly (string | undefined)[]): boolean =>
    !names.some((other) => isSameName(other, name));
  const { primaryKey, ...rest } = table;
  return {
    ...rest,
    ...(primaryKey !== undefined && others(primaryKey.columns) ? { primaryKey } : {}),
    columns: table.columns.filter((column) => !isSameName(column.name, name)),
    indexes: table.indexes.filter(({ parts }) => others(parts.map(({ column }) => column))),
    foreignKeys: table.foreignKeys.filter(({ columns }) => others(columns)),
  };
}

/** Removes the constraint or index with this name. */
export function withoutConstraint(table: Table, name: string): Table {
  const isOther = (part: { readonly name?: string }): boolean => !isSameName(part.name, name);
  const { primaryKey, ...rest } = table;
  return {
    ...rest,
    ...(primaryKey !== undefined && isOther(primaryKey) ? { primaryKey } : {}),
    indexes: table.indexes.filter(isOther),
    foreignKeys: table.foreignKeys.filter(isOther),
    checks: table.checks.filter(isOther),
  };
}

export function withoutPrimaryKey({ primaryKey: _dropped, ...table }: Table): Table {
  return table;
}

/** Renames the column in the table, in its keys and in the foreign keys that reference it. */
export function renameColumn(
  draft: SchemaDraft,
  reference: TableReference,
  names: RenamedColumn,
): void {
  changeTable(draft, reference, (table) => ({
    ...table,
    ...(table.primaryKey === undefined
      ? {}
      : { primaryKey: { ...table.primaryKey, columns: renamed(table.primaryKey.columns, names) } }),
    columns: table.columns.map((column) =>
      isSameName(column.name, names.from) ? { ...column, name: names.to } : column,
    ),
    indexes: table.indexes.map((index) => renameInIndex(index, names)),
    foreignKeys: table.foreignKeys.map((key) => ({ ...key, columns: renamed(key.columns, names) })),
  }));
  changeKeysTo(draft, reference, (key) => ({
    ...key,
    referencedColumns: renamed(key.referencedColumns, names),
  }));
}

export interface RenamedColumn {
  readonly from: string;
  readonly to: string;
}

function renamed(columns: readonly string[], { from, to }: RenamedColumn): readonly string[] {
  return columns.map((name) => (isSameName(name, from) ? to : name));
}

function renameInIndex(index: Index, { from, to }: RenamedColumn): Index {
  const parts = index.parts.map((part) =>
    isSameName(part.column, from) ? { ...part, column: to } : part,
  );
  return { ...index, parts };
}

export function renameTable(draft: SchemaDraft, from: TableReference, to: TableReference): void {
  changeTable(draft, from, ({ namespace: _old, ...table }) => ({
    ...table,
    ...to,
    name: nameOfTable(to),
  }));
  changeKeysTo(draft, from, (key) => ({ ...key, table: nameOfTable(to) }));
}

function changeKeysTo(
  draft: SchemaDraft,
  target: TableReference,
  change: (key: ForeignKey) => ForeignKey,
): void {
  for (const [key, each] of draft.tables) {
    const foreignKeys = each.table.foreignKeys.map((foreignKey) =>
      isSameName(foreignKey.table, nameOfTable(target)) ? change(foreignKey) : foreignKey,
    );
    draft.tables.set(key, { ...each, table: { ...each.table, foreignKeys } });
  }
}
