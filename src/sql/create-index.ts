import type { DdlDialect } from '../model/ddl-dialect.ts';
import type { Index, IndexPart, Table } from '../model/schema.ts';
import type { DdlContext } from './ddl-context.ts';

/** CREATE INDEX statements for the indexes that CREATE TABLE does not include. */
export function createIndexes(table: Table, context: DdlContext): string[] {
  return table.indexes
    .filter((index) => !isInline(index, table, context))
    .map((index) => createIndex(table, index, context));
}

/** Whether CREATE TABLE declares the index: as a constraint, or because the dialect declares all indexes there. */
export function isInline(index: Index, table: Table, { ddl, native }: DdlContext): boolean {
  if (ddl.indexSupport.inline && table.kind === 'table') return true;
  return index.constraint === true && !needsPredicate(index, table, { ddl, native });
}

/** Where NULL equals NULL, a unique index must exclude rows with NULL to behave as in standard SQL. */
function needsPredicate(
  index: Index,
  { columns }: Table,
  { ddl, native }: Pick<DdlContext, 'ddl' | 'native'>,
): boolean {
  if (native || !ddl.indexSupport.nullsAreEqual || !index.unique || index.nullsNotDistinct === true)
    return false;
  return index.parts.some(({ column }) =>
    columns.some(({ name, nullable }) => name === column && nullable),
  );
}

function createIndex(table: Table, index: Index, context: DdlContext): string {
  const { ddl } = context;
  const { before = '', using = '' } =
    (context.native ? ddl.indexSupport.keywords(index) : undefined) ?? {};
  const where = predicateOf(index, table, context);
  return (
    `CREATE ${index.unique ? 'UNIQUE ' : ''}${before}INDEX ${ddl.quoteName(nameOf(index, table))} ON ${ddl.tableName(table)}${using} ` +
    `(${indexParts(index, context)})${includedColumns(index, ddl)}${nullsNotDistinct(index, ddl)}` +
    (where === undefined ? '' : ` WHERE ${where}`)
  );
}

/** A constraint may be unnamed, an index may not. */
function nameOf({ name, parts }: Index, { localName }: Table): string {
  return name || [localName, ...parts.flatMap(({ column }) => column ?? []), 'key'].join('_');
}

function predicateOf(index: Index, table: Table, context: DdlContext): string | undefined {
  if (!needsPredicate(index, table, context)) return index.where;
  const nullable = index.parts.flatMap(({ column }) =>
    table.columns.filter(({ name, nullable: isNullable }) => name === column && isNullable),
  );
  const notNull = nullable.map(({ name }) => `${context.ddl.quoteName(name)} IS NOT NULL`);
  return [...(index.where === undefined ? [] : [`(${index.where})`]), ...notNull].join(' AND ');
}

/** The columns and expressions between the parentheses of an index. */
export function indexParts(
  { parts }: Pick<Index, 'parts'>,
  { ddl, native }: Pick<DdlContext, 'ddl' | 'native'>,
): string {
  return parts.map((part) => indexPart(part, ddl, native)).join(', ');
}

function indexPart(part: IndexPart, ddl: DdlDialect, native: boolean): string {
  const prefix = part.prefixLength === undefined ? '' : `(${part.prefixLength})`;
  return [
    part.column === undefined ? `(${part.expression ?? ''})` : ddl.quoteName(part.column) + prefix,
    ...(native && part.collation !== undefined ? [`COLLATE ${ddl.quoteName(part.collation)}`] : []),
    ...(native && part.operatorClass !== undefined ? [part.operatorClass] : []),
    ...(part.descending === true ? ['DESC'] : []),
  ].join(' ');
}

export function quotedColumns(columns: readonly string[], ddl: DdlDialect): string {
  return columns.map((column) => ddl.quoteName(column)).join(', ');
}

export function includedColumns(index: Index, ddl: DdlDialect): string {
  const included = index.included ?? [];
  return ddl.indexSupport.included && included.length > 0
    ? ` INCLUDE (${quotedColumns(included, ddl)})`
    : '';
}

export function nullsNotDistinct(index: Index, ddl: DdlDialect): string {
  return ddl.indexSupport.nullsNotDistinct && index.nullsNotDistinct === true
    ? ' NULLS NOT DISTINCT'
    : '';
}
