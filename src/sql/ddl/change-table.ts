/** What ALTER TABLE does to a table that the file has made. */
import { changeTable, nameOfTable } from './draft.ts';
import { withConstraints } from './table-body.ts';
import type { Column, ForeignKey, Index, Table } from '../../model/schema.ts';
import type { Draft, TableReference } from './draft.ts';
import type { TableBody } from './ddl-rules.ts';

/** Where ALTER TABLE puts a column: first, or behind another. */
export interface ColumnPlace {
  /** Undefined: first. */
  readonly after: string | undefined;
}

/** Everything that the body has gathered is added. */
export function withBody(table: Table, body: TableBody, place?: ColumnPlace): Table {
  const { columns, primaryKey, indexes, foreignKeys, checks } = body;
  return {
    ...table,
    columns: placed(table.columns, columns, place),
    ...(primaryKey === undefined ? {} : { primaryKey }),
    indexes: [...table.indexes, ...indexes],
    foreignKeys: [...table.foreignKeys, ...foreignKeys],
    checks: [...table.checks, ...checks],
    ...withConstraints(table, body),
  };
}

function placed(
  columns: readonly Column[],
  added: readonly Column[],
  place: ColumnPlace | undefined,
): readonly Column[] {
  if (place === undefined) return [...columns, ...added];
  const at = place.after === undefined ? 0 : columnIndex(columns, place.after) + 1;
  return columns.toSpliced(at, 0, ...added);
}

function columnIndex(columns: readonly Column[], name: string): number {
  return columns.findIndex((column) => isSame(column.name, name));
}

export function isSame(one: string | undefined, two: string): boolean {
  return one?.toLowerCase() === two.toLowerCase();
}

export function hasColumn({ columns }: Table, name: string): boolean {
  return columnIndex(columns, name) >= 0;
}

export function hasConstraint(table: Table, name: string): boolean {
  const { primaryKey, indexes, foreignKeys, checks } = table;
  return [primaryKey, ...indexes, ...foreignKeys, ...checks].some((each) =>
    isSame(each?.name, name),
  );
}

export function changeColumn(
  table: Table,
  name: string,
  change: (column: Column) => Column,
): Table {
  const columns = table.columns.map((column) =>
    isSame(column.name, name) ? change(column) : column,
  );
  return { ...table, columns };
}

/** The column, and with it the keys, indexes and checks that are of it alone. */
export function withoutColumn(table: Table, name: string): Table {
  const others = (names: readonly (string | undefined)[]): boolean =>
    !names.some((other) => isSame(other, name));
  const { primaryKey, ...rest } = table;
  return {
    ...rest,
    ...(primaryKey !== undefined && others(primaryKey.columns) ? { primaryKey } : {}),
    columns: table.columns.filter((column) => !isSame(column.name, name)),
    indexes: table.indexes.filter(({ parts }) => others(parts.map(({ column }) => column))),
    foreignKeys: table.foreignKeys.filter(({ columns }) => others(columns)),
  };
}

/** A constraint or index of whatever kind, by its name. */
export function withoutConstraint(table: Table, name: string): Table {
  const isOther = (part: { readonly name?: string }): boolean => !isSame(part.name, name);
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

/** The new name in the table's own keys and in those that point at it. */
export function renameColumn(draft: Draft, reference: TableReference, names: RenamedColumn): void {
  changeTable(draft, reference, (table) => ({
    ...table,
    ...(table.primaryKey === undefined
      ? {}
      : { primaryKey: { ...table.primaryKey, columns: renamed(table.primaryKey.columns, names) } }),
    columns: table.columns.map((column) =>
      isSame(column.name, names.from) ? { ...column, name: names.to } : column,
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
  return columns.map((name) => (isSame(name, from) ? to : name));
}

function renameInIndex(index: Index, { from, to }: RenamedColumn): Index {
  const parts = index.parts.map((part) =>
    isSame(part.column, from) ? { ...part, column: to } : part,
  );
  return { ...index, parts };
}

export function renameTable(draft: Draft, from: TableReference, to: TableReference): void {
  changeTable(draft, from, ({ namespace: _old, ...table }) => ({
    ...table,
    ...to,
    name: nameOfTable(to),
  }));
  changeKeysTo(draft, from, (key) => ({ ...key, table: nameOfTable(to) }));
}

function changeKeysTo(
  draft: Draft,
  target: TableReference,
  change: (key: ForeignKey) => ForeignKey,
): void {
  for (const [key, each] of draft.tables) {
    const foreignKeys = each.table.foreignKeys.map((foreignKey) =>
      isSame(foreignKey.table, nameOfTable(target)) ? change(foreignKey) : foreignKey,
    );
    draft.tables.set(key, { ...each, table: { ...each.table, foreignKeys } });
  }
}
