import type { DdlDialect, IdentityClause } from '../model/ddl-dialect.ts';
import type { Check, Column, ForeignKey, Index, PrimaryKey, Table } from '../model/schema.ts';
import { includedColumns, nullsNotDistinct, quotedColumns } from './create-index.ts';
import type { DdlContext } from './ddl-context.ts';

/** CREATE TABLE with those of the table's foreign keys that it is to hold. */
export function createTable(
  table: Table,
  foreignKeys: readonly ForeignKey[],
  context: DdlContext,
): string {
  const { ddl, native } = context;
  const lines = [
    ...table.columns.map((column) => columnLine(column, table, context)),
    ...primaryKeyLines(table, ddl),
    ...table.indexes.filter((index) => index.constraint).map((index) => uniqueLine(index, ddl)),
    ...table.checks.map((check) => checkLine(check, ddl)),
    ...(native ? [] : table.columns.flatMap((column) => typeCheckLines(column, ddl))),
    ...foreignKeys.map((key) => foreignKeyClause(key, context)),
  ];
  const options = native ? ddl.tableOptions(table.options ?? {}) : '';
  return `CREATE TABLE ${ddl.tableName(table)} (\n  ${lines.join(',\n  ')}\n)${options && ` ${options}`}`;
}

/** ALTER TABLE … ADD, for a key that CREATE TABLE could not hold. */
export function addForeignKey(table: Table, key: ForeignKey, context: DdlContext): string {
  return `ALTER TABLE ${context.ddl.tableName(table)} ADD ${foreignKeyClause(key, context)}`;
}

function columnLine(column: Column, table: Table, context: DdlContext): string {
  const { ddl } = context;
  const identity = identityOf(column, table, ddl);
  const parts = [
    ddl.quoteName(column.name),
    typeClause(column, context),
    context.native && column.collation !== undefined
      ? `COLLATE ${ddl.quoteName(column.collation)}`
      : '',
    column.nullable ? '' : 'NOT NULL',
    identity?.clause ?? defaultClause(column, context),
    column.comment === undefined ? '' : ddl.columnComment(column.comment),
  ];
  return parts.filter((part) => part !== '').join(' ');
}

function typeClause(column: Column, { ddl, native }: DdlContext): string {
  const type = native ? column.nativeType : ddl.columnType(column);
  return column.generated === undefined
    ? type
    : ddl.generatedColumn(type, column.generated, native);
}

function identityOf(column: Column, table: Table, ddl: DdlDialect): IdentityClause | undefined {
  return column.autoIncrement === true ? ddl.identity(column, table) : undefined;
}

/** A default that autoIncrement speaks for (nextval of a sequence of its own) is left out with it. */
function defaultClause(column: Column, { ddl, native }: DdlContext): string {
  if (
    column.default === undefined ||
    column.generated !== undefined ||
    column.autoIncrement === true
  )
    return '';
  const expression = native ? column.default : ddl.neutralDefault(column.default, column.type);
  return `DEFAULT ${bracketed(expression)}`;
}

const plainDefault =
  /^(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|'[^']*(?:''[^']*)*'|null|true|false|current_(?:timestamp|date|time))$/i;

/** Literals stand as they are; any other expression needs its brackets. */
function bracketed(expression: string): string {
  return plainDefault.test(expression) ? expression : `(${expression})`;
}

function primaryKeyLines(table: Table, ddl: DdlDialect): string[] {
  const key = table.primaryKey;
  if (key === undefined || isDeclaredByIdentity(key, table, ddl)) return [];
  return [`${constraint(key.name, ddl)}PRIMARY KEY (${quotedColumns(key.columns, ddl)})`];
}

function isDeclaredByIdentity(key: PrimaryKey, table: Table, ddl: DdlDialect): boolean {
  const columns = table.columns.filter((column) => key.columns.includes(column.name));
  return columns.some((column) => identityOf(column, table, ddl)?.isPrimaryKey);
}

function uniqueLine(index: Index, ddl: DdlDialect): string {
  const columns = index.parts.flatMap((part) => part.column ?? []);
  const unique = `UNIQUE${nullsNotDistinct(index, ddl)} (${quotedColumns(columns, ddl)})`;
  return `${constraint(index.name, ddl)}${unique}${includedColumns(index, ddl)}`;
}

function checkLine(check: Check, ddl: DdlDialect): string {
  return `${constraint(check.name, ddl)}CHECK (${check.expression})`;
}

function typeCheckLines(column: Column, ddl: DdlDialect): string[] {
  const expression = ddl.typeCheck(ddl.quoteName(column.name), column.type);
  return expression === undefined ? [] : [`CHECK (${expression})`];
}

function foreignKeyClause(key: ForeignKey, { ddl, tables }: DdlContext): string {
  const target = tables.get(key.table) ?? { name: key.table, localName: key.table };
  const referenced =
    key.referencedColumns.length === 0 ? '' : ` (${quotedColumns(key.referencedColumns, ddl)})`;
  return [
    `${constraint(key.name, ddl)}FOREIGN KEY (${quotedColumns(key.columns, ddl)})`,
    `REFERENCES ${ddl.tableName(target)}${referenced}`,
    ...(key.onUpdate === 'no action' ? [] : [`ON UPDATE ${key.onUpdate.toUpperCase()}`]),
    ...(key.onDelete === 'no action' ? [] : [`ON DELETE ${key.onDelete.toUpperCase()}`]),
    ...(key.deferrable === undefined || !ddl.deferrableKeys
      ? []
      : [`DEFERRABLE INITIALLY ${key.deferrable.toUpperCase()}`]),
  ].join(' ');
}

function constraint(name: string | undefined, ddl: DdlDialect): string {
  return name === undefined || name === '' ? '' : `CONSTRAINT ${ddl.quoteName(name)} `;
}
