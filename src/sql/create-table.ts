import {
  includedColumns,
  indexParts,
  isInline,
  nullsNotDistinct,
  quotedColumns,
} from './create-index.ts';
import { nativeTypeOf } from './ddl-context.ts';
import type { DdlDialect } from '../model/ddl-dialect.ts';
import type {
  Check,
  Column,
  ForeignKey,
  Index,
  IndexPart,
  PrimaryKey,
  Table,
} from '../model/schema.ts';
import type { DdlContext } from './ddl-context.ts';

/** CREATE TABLE with the given foreign keys. */
export function createTable(
  table: Table,
  foreignKeys: readonly ForeignKey[],
  context: DdlContext,
): string {
  const { ddl, native } = context;
  const constraintLines = native ? ddl.tableConstraints(table.options ?? {}) : '';
  const lines = [
    ...table.columns.map((column) => columnLine(column, table, context)),
    ...primaryKeyLines(table, context),
    ...table.indexes
      .filter((index) => isInline(index, table, context))
      .map((index) => indexLine(index, context)),
    ...table.checks
      .filter((check) => columnOfCheck(check, table, context) === undefined)
      .map((check) => checkLine(check, ddl)),
    ...table.columns.flatMap((column) => typeCheckLines(column, context)),
    ...(constraintLines === '' ? [] : [constraintLines]),
    ...foreignKeys.map((key) => foreignKeyClause(key, context)),
  ];
  const modifier = native ? ddl.tableModifier(table.options ?? {}) : '';
  const options = native ? ddl.tableOptions(table.options ?? {}) : '';
  return (
    `CREATE ${modifier && `${modifier} `}TABLE ${ddl.tableName(table)} (` +
    `\n  ${lines.join(',\n  ')}\n)${options && ` ${options}`}`
  );
}

/** ALTER TABLE … ADD, for a key that CREATE TABLE could not include. */
export function addForeignKey(table: Table, key: ForeignKey, context: DdlContext): string {
  return `ALTER TABLE ${context.ddl.tableName(table)} ADD ${foreignKeyClause(key, context)}`;
}

function columnLine(column: Column, table: Table, context: DdlContext): string {
  const { ddl } = context;
  const identity = ddl.identityClause(column, table, context.native);
  const parts = [
    ddl.quoteName(column.name),
    typeClause(column, context),
    nullClause(column, context),
    identity?.clause ?? defaultClause(column, context),
    context.native && column.onUpdate !== undefined ? (ddl.onUpdate(column.onUpdate) ?? '') : '',
    context.native && column.invisible === true ? ddl.invisibleColumn : '',
    context.native && column.unversioned === true ? ddl.unversionedColumn : '',
    column.comment === undefined ? '' : ddl.columnComment(column.comment),
    ...table.checks
      .filter((check) => columnOfCheck(check, table, context) === column)
      .map(({ name: _ofColumn, ...check }) => checkLine(check, ddl)),
  ];
  return parts.filter((part) => part !== '').join(' ');
}

function typeClause(column: Column, context: DdlContext): string {
  const { ddl, native } = context;
  const type = nativeTypeOf(column, context) ?? ddl.columnType(column);
  const collation =
    column.collation !== undefined ? ` COLLATE ${ddl.quoteName(column.collation)}` : '';
  return column.generated === undefined
    ? type + collation
    : ddl.generatedColumn(type + collation, column.generated, native);
}

function nullClause({ nullable, generated }: Column, { ddl }: DdlContext): string {
  if (generated !== undefined && !ddl.allowsGeneratedNotNull(generated)) return '';
  return nullable ? ddl.nullable : 'NOT NULL';
}

function defaultClause(column: Column, { ddl, native }: DdlContext): string {
  if (column.default === undefined || column.generated !== undefined) return '';
  if (native) return `DEFAULT ${ddl.nativeDefault(column.default)}`;
  return `DEFAULT ${bracketed(ddl.neutralDefault(column.default, column.type))}`;
}

const plainDefault =
  /^(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|'[^']*(?:''[^']*)*'|null|true|false|current_(?:timestamp|date|time))$/i;

/** Literals need no parentheses, other expressions do. */
function bracketed(expression: string): string {
  return plainDefault.test(expression) ? expression : `(${expression})`;
}

function primaryKeyLines(table: Table, context: DdlContext): string[] {
  const key = table.primaryKey;
  if (key === undefined || isDeclaredByIdentity(key, table, context)) return [];
  const { ddl } = context;
  const parts = key.columns.map((column) => ({ column, ...keyCollation(key, column) }));
  return [`${constraint(key.name, ddl)}PRIMARY KEY (${partsOf(parts, context)})`];
}

function keyCollation(
  { collations = {} }: PrimaryKey,
  column: string,
): Pick<IndexPart, 'collation'> {
  const collation = Object.hasOwn(collations, column) ? collations[column] : undefined;
  return collation === undefined ? {} : { collation };
}

/** The columns of a constraint. In SQLite they may have a collation and a direction. */
function partsOf(parts: readonly IndexPart[], { ddl, native }: DdlContext): string {
  const columns = parts.flatMap(({ column, collation, descending }): readonly IndexPart[] =>
    column === undefined
      ? []
      : [
          {
            column,
            ...(collation === undefined ? {} : { collation }),
            ...(native && descending === true ? { descending } : {}),
          },
        ],
  );
  return indexParts({ parts: columns }, { ddl, native });
}

function isDeclaredByIdentity(key: PrimaryKey, table: Table, { ddl, native }: DdlContext): boolean {
  const columns = table.columns.filter((column) => key.columns.includes(column.name));
  return columns.some((column) => ddl.identityClause(column, table, native)?.isPrimaryKey);
}

function indexLine(index: Index, context: DdlContext): string {
  const { ddl, native } = context;
  if (!ddl.indexSupport.inline) {
    const unique = `UNIQUE${nullsNotDistinct(index, ddl)} (${partsOf(index.parts, context)})`;
    return `${constraint(index.name, ddl)}${unique}${includedColumns(index, ddl)}`;
  }
  const { before = '', using = '' } = (native ? ddl.indexSupport.keywords(index) : undefined) ?? {};
  const kind = index.unique ? 'UNIQUE ' : before;
  const comment = index.comment === undefined ? '' : ` ${ddl.columnComment(index.comment)}`;
  const name = index.name === '' ? '' : `${ddl.quoteName(index.name)} `;
  return `${kind}KEY ${name}(${indexParts(index, context)})${using}${comment}`;
}

/** The column that declares the check; undefined if the table does. MariaDB allows one check with a column. */
function columnOfCheck(
  check: Check,
  { columns, checks }: Table,
  { ddl, native }: DdlContext,
): Column | undefined {
  const { column: name } = check;
  if (!native || !ddl.columnChecks || name === undefined) return undefined;
  if (checks.find(({ column }) => column === name) !== check) return undefined;
  return columns.find((column) => column.name === name);
}

function checkLine(check: Check, ddl: DdlDialect): string {
  const state = check.enforced === false ? ` ${ddl.notEnforced ?? ''}` : '';
  return `${constraint(check.name, ddl)}CHECK (${check.expression})${state}`;
}

function typeCheckLines(column: Column, context: DdlContext): string[] {
  if (nativeTypeOf(column, context) !== undefined) return [];
  const expression = context.ddl.typeCheck(context.ddl.quoteName(column.name), column.type);
  return expression === undefined ? [] : [`CHECK (${expression})`];
}

function foreignKeyClause(key: ForeignKey, { ddl, tables }: DdlContext): string {
  const target = tables.get(key.table) ?? { name: key.table, localName: key.table };
  const referenced =
    key.referencedColumns.length === 0 ? '' : ` (${quotedColumns(key.referencedColumns, ddl)})`;
  return [
    `${constraint(key.name, ddl)}FOREIGN KEY (${quotedColumns(key.columns, ddl)})`,
    `REFERENCES ${ddl.tableName(target)}${referenced}`,
    ...(key.onUpdate === ddl.defaultForeignKeyAction
      ? []
      : [`ON UPDATE ${key.onUpdate.toUpperCase()}`]),
    ...(key.onDelete === ddl.defaultForeignKeyAction
      ? []
      : [`ON DELETE ${key.onDelete.toUpperCase()}`]),
    ...(key.deferrable === undefined || !ddl.supportsDeferrableKeys
      ? []
      : [`DEFERRABLE INITIALLY ${key.deferrable.toUpperCase()}`]),
  ].join(' ');
}

function constraint(name: string | undefined, ddl: DdlDialect): string {
  return name === undefined || name === '' ? '' : `CONSTRAINT ${ddl.quoteName(name)} `;
}
