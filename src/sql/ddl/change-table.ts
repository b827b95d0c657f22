/** Changes that ALTER TABLE makes to a table that the file has created. */
import { codeOf } from '../../portable/lexer/code.ts';
import { readName } from '../expression/read-literal.ts';
import { DdlError } from './cursor.ts';
import { changeTable, findTable, nameOfTable } from './draft.ts';
import { withConstraints } from './table-body.ts';
import type { Column, ForeignKey, Index, Table } from '../../model/schema.ts';
import type { LexicalRules } from '../../portable/lexer/lexical-rules.ts';
import type { SchemaDraft, TableReference } from './draft.ts';
import type { TableBody } from './ddl-rules.ts';

/** Position of a column that ALTER TABLE adds: first, or after another column. */
export interface ColumnPosition {
  /** The preceding column; undefined for FIRST. */
  readonly after: string | undefined;
}

/** Adds the columns, keys, indexes and constraints of a parsed body to the table. */
export function withBody(table: Table, body: TableBody, position?: ColumnPosition): Table {
  const { columns, primaryKey, indexes, foreignKeys, checks } = body;
  return {
    ...table,
    columns: insertColumns(table.columns, columns, position),
    ...(primaryKey === undefined ? {} : { primaryKey }),
    indexes: [...table.indexes, ...indexes],
    foreignKeys: [...table.foreignKeys, ...foreignKeys],
    checks: [...table.checks, ...checks],
    ...withConstraints(table, body),
  };
}

function insertColumns(
  columns: readonly Column[],
  addedColumns: readonly Column[],
  position: ColumnPosition | undefined,
): readonly Column[] {
  if (position === undefined) return [...columns, ...addedColumns];
  const at = position.after === undefined ? 0 : columnIndex(columns, position.after) + 1;
  return columns.toSpliced(at, 0, ...addedColumns);
}

function columnIndex(columns: readonly Column[], name: string): number {
  return columns.findIndex((column) => isSameName(column.name, name));
}

export function isSameName(name: string | undefined, otherName: string): boolean {
  return name?.toLowerCase() === otherName.toLowerCase();
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

interface DroppedColumn {
  readonly name: string;
  readonly lexical: LexicalRules;
  /** Whether an index keeps its other columns. Otherwise the server drops the index. */
  readonly narrowsIndexes: boolean;
}

/** Removes the column and everything that needs it, including foreign keys that reference it. */
export function dropColumn(
  draft: SchemaDraft,
  reference: TableReference,
  droppedColumn: DroppedColumn,
): void {
  changeTable(draft, reference, (table) => withoutColumn(table, droppedColumn));
  filterKeysTo(
    draft,
    reference,
    ({ referencedColumns }) => !includesName(referencedColumns, droppedColumn.name),
  );
}

function withoutColumn(table: Table, droppedColumn: DroppedColumn): Table {
  const { name, narrowsIndexes } = droppedColumn;
  const { primaryKey: key, ...rest } = table;
  const keyColumns = (key?.columns ?? []).filter((column) => !isSameName(column, name));
  const hasKey =
    key !== undefined &&
    (keyColumns.length === key.columns.length || (narrowsIndexes && keyColumns.length > 0));
  return {
    ...rest,
    ...(hasKey ? { primaryKey: { ...key, columns: keyColumns } } : {}),
    columns: table.columns.filter((column) => !isSameName(column.name, name)),
    indexes: table.indexes.flatMap((index) => indexWithoutColumn(index, droppedColumn)),
    foreignKeys: table.foreignKeys.filter(({ columns }) => !includesName(columns, name)),
    checks: table.checks.filter(({ expression }) => !mentions(expression, droppedColumn)),
  };
}

/** Empty if the index is dropped with the column. */
function indexWithoutColumn(index: Index, droppedColumn: DroppedColumn): readonly Index[] {
  const { parts, included = [], where } = index;
  const { name, narrowsIndexes } = droppedColumn;
  const isInExpression = [where, ...parts.map(({ expression }) => expression)].some((text) =>
    mentions(text, droppedColumn),
  );
  const remainingParts = parts.filter(({ column }) => !isSameName(column, name));
  const isUnchanged = remainingParts.length === parts.length && !includesName(included, name);
  if (isInExpression || (!isUnchanged && !narrowsIndexes) || remainingParts.length === 0) return [];
  return [isUnchanged ? index : { ...index, parts: remainingParts }];
}

function includesName(names: readonly string[], name: string): boolean {
  return names.some((other) => isSameName(other, name));
}

/** Whether an expression names the column. A called function with that name does not count. */
function mentions(expression: string | undefined, { name, lexical }: DroppedColumn): boolean {
  if (expression === undefined) return false;
  const code = codeOf(expression, lexical);
  return code.some(
    ({ kind, start, end }, i) =>
      (kind === 'word' || kind === 'quoted-name') &&
      code[i + 1]?.word !== '(' &&
      isSameName(readName(expression.slice(start, end), lexical), name),
  );
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
  { at, ...names }: RenamedColumn & { readonly at: number },
): void {
  const { from, to } = names;
  const found = findTable(draft, reference);
  if (found !== undefined && !isSameName(from, to) && hasColumn(found, to))
    throw new DdlError(`The table ${nameOfTable(reference)} already has a column ${to}.`, at);
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
    checks: table.checks.map((check) =>
      isSameName(check.column, names.from) ? { ...check, column: names.to } : check,
    ),
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
  const { included } = index;
  return {
    ...index,
    parts,
    ...(included === undefined ? {} : { included: renamed(included, { from, to }) }),
  };
}

/** Renames the constraint or index. */
export function renameConstraint(table: Table, { from, to }: RenamedColumn): Table {
  const rename = <T extends { readonly name?: string }>(part: T): T =>
    isSameName(part.name, from) ? { ...part, name: to } : part;
  const { primaryKey } = table;
  return {
    ...table,
    ...(primaryKey === undefined ? {} : { primaryKey: rename(primaryKey) }),
    indexes: table.indexes.map(rename),
    foreignKeys: table.foreignKeys.map(rename),
    checks: table.checks.map(rename),
  };
}

interface RenamedTable {
  readonly from: TableReference;
  readonly to: TableReference;
  /** The position of the statement, for the error if the new name is taken. */
  readonly at: number;
}

export function renameTable(draft: SchemaDraft, { from, to, at }: RenamedTable): void {
  if (!isSameName(nameOfTable(from), nameOfTable(to)) && findTable(draft, to) !== undefined)
    throw new DdlError(`There is already a table ${nameOfTable(to)}.`, at);
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

/** Removes the foreign keys to the target, in all tables, that do not pass the test. */
function filterKeysTo(
  draft: SchemaDraft,
  target: TableReference,
  passes: (key: ForeignKey) => boolean,
): void {
  for (const [key, each] of draft.tables) {
    const foreignKeys = each.table.foreignKeys.filter(
      (foreignKey) => !isSameName(foreignKey.table, nameOfTable(target)) || passes(foreignKey),
    );
    if (foreignKeys.length < each.table.foreignKeys.length)
      draft.tables.set(key, { ...each, table: { ...each.table, foreignKeys } });
  }
}
