import { formatDefault } from './format-default.ts';
import { quoteExpression, quoteName, quoteText, formatSettings, formatType } from './syntax.ts';
import type { Check, Column, Index, IndexPart, Table } from '../../model/schema.ts';
import type { DbmlEnums } from './enums.ts';

export interface WriteContext {
  readonly enums: DbmlEnums;
  /** Quoted names by `Table.name`; other tables are not in the file. */
  readonly names: ReadonlyMap<string, string>;
  /** Collects what DBML cannot represent. */
  readonly warnings: string[];
}

export function writeTable(table: Table, context: WriteContext): string {
  const note = table.comment === undefined ? [] : [`Note: ${quoteText(table.comment)}`];
  const blocks = [
    ...block('indexes', [...keyLine(table), ...indexLines(table, context)]),
    ...block(
      'checks',
      table.checks.flatMap((check) => checkLine(check, table, context)),
    ),
    ...note,
  ];
  const columns = table.columns.map((column) => columnLine(column, table, context));
  const lines = [...columns, ...(blocks.length === 0 ? [] : ['', ...blocks])];
  const indented = lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n');
  return `Table ${context.names.get(table.name) ?? ''} {\n${indented}\n}`;
}

function block(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title} {`, ...lines.map((line) => `  ${line}`), '}'];
}

// Columns

function columnLine(column: Column, table: Table, context: WriteContext): string {
  const type = context.enums.ofColumn(column)?.name ?? formatType(column.nativeType);
  if (column.generated !== undefined) {
    context.warnings.push(
      `${table.name}.${column.name} is generated (${column.generated.expression}), which DBML cannot represent.`,
    );
  }
  const list = [
    ...(isSoleKey(column, table) ? ['pk'] : []),
    ...(column.autoIncrement === true ? ['increment'] : []),
    ...(column.nullable || isSoleKey(column, table) ? [] : ['not null']),
    ...(isUniqueByItself(column, table) ? ['unique'] : []),
    ...defaultSetting(column, table, context),
    ...(column.comment === undefined ? [] : [`note: ${quoteText(column.comment)}`]),
  ];
  return `${quoteName(column.name)} ${type}${formatSettings(list)}`;
}

function isSoleKey({ name }: Column, { primaryKey }: Table): boolean {
  return primaryKey?.columns.length === 1 && primaryKey.columns[0] === name;
}

/** Whether the column has an unnamed UNIQUE constraint. */
function isUniqueByItself({ name }: Column, { indexes }: Table): boolean {
  return indexes.some(
    (index) =>
      isUnnamedConstraint(index) && index.parts.length === 1 && index.parts[0]?.column === name,
  );
}

function isUnnamedConstraint(index: Index): boolean {
  return index.unique && index.name === '' && index.constraint === true;
}

/** The default of an auto-increment column is the setting `increment`. */
function defaultSetting(column: Column, table: Table, { warnings }: WriteContext): string[] {
  if (column.default === undefined || column.generated !== undefined) return [];
  if (column.autoIncrement === true) return [];
  const text = formatDefault(column.default);
  if (text !== undefined) return [`default: ${text}`];
  warnings.push(`The default of ${table.name}.${column.name} is left out: ${column.default}`);
  return [];
}

// Keys, indexes, checks

/** A key of one column is a setting of the column. */
function keyLine({ primaryKey }: Table): string[] {
  if (primaryKey === undefined || primaryKey.columns.length < 2) return [];
  const name = primaryKey.name === undefined ? [] : [`name: ${quoteName(primaryKey.name)}`];
  return [`(${primaryKey.columns.map(quoteName).join(', ')})${formatSettings(['pk', ...name])}`];
}

function indexLines(table: Table, context: WriteContext): string[] {
  return table.indexes
    .filter((index) => !(isUnnamedConstraint(index) && index.parts.length === 1))
    .flatMap((index) => indexLine(index, table, context));
}

function indexLine(index: Index, table: Table, { warnings }: WriteContext): string[] {
  const parts = index.parts.map(partText);
  if (parts.length === 0 || !parts.every((part) => part !== undefined)) {
    warnings.push(
      `The index ${index.name} of ${table.name} is left out: DBML cannot represent its expressions.`,
    );
    return [];
  }
  const isFull =
    index.where === undefined &&
    index.parts.every(({ prefixLength }) => prefixLength === undefined);
  if (!isFull) {
    warnings.push(
      `The index ${index.name} of ${table.name} covers only a part (${partOf(index)}), which DBML cannot represent.`,
    );
  }
  const list = [
    ...(index.unique && isFull ? ['unique'] : []),
    ...(index.name === '' ? [] : [`name: ${quoteName(index.name)}`]),
    ...(index.method === undefined ? [] : [`type: ${formatMethod(index.method)}`]),
    ...(index.comment === undefined ? [] : [`note: ${quoteText(index.comment)}`]),
  ];
  return [`(${parts.join(', ')})${formatSettings(list)}`];
}

function partText({ column, expression = '' }: IndexPart): string | undefined {
  return column === undefined ? quoteExpression(expression) : quoteName(column);
}

function partOf({ where, parts }: Index): string {
  return (
    where ??
    `the first ${parts.map(({ prefixLength }) => prefixLength ?? 'all').join(', ')} characters`
  );
}

function formatMethod(method: string): string {
  return /^\w+$/.test(method) ? method : quoteName(method);
}

function checkLine(
  { name, expression }: Check,
  table: Table,
  { warnings }: WriteContext,
): string[] {
  const text = quoteExpression(expression);
  if (text === undefined) {
    warnings.push(`The check ${name ?? ''} of ${table.name} is left out: ${expression}`);
    return [];
  }
  return [`${text}${name === undefined ? '' : formatSettings([`name: ${quoteName(name)}`])}`];
}
