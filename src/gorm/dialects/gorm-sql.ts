/** SQL that GORM's drivers write in the same way. */
import type { GormDefault, GormDialect, GormIndexPart } from '../gorm-dialect.ts';

/** Quotes each part of a qualified name by itself. */
export function quoteQualifiedName(name: string, quote: (part: string) => string): string {
  return name.split('.').map(quote).join('.');
}

/** A parsed default as a literal; strings use the driver's quotes, doubled inside. */
export function defaultLiteral(value: GormDefault, quote: string): string {
  switch (value.kind) {
    case 'text':
      return quote + value.value.replaceAll(quote, quote + quote) + quote;
    case 'float':
      return plainFloat(value.value);
    default:
      return String(value.value);
  }
}

/** A float with the fewest digits that identify it, and without an exponent. */
function plainFloat(value: number): string {
  const [mantissa = '', exponent] = String(value).split('e');
  if (exponent === undefined) return mantissa;
  const sign = value < 0 ? '-' : '';
  const [integerDigits = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = integerDigits + fraction;
  const point = integerDigits.length + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return `${sign}${digits.slice(0, point).padEnd(point, '0')}`;
}

/** The columns and expressions of an index with their collation and direction. */
export function indexPartsSql(
  parts: readonly GormIndexPart[],
  quoteName: (name: string) => string,
  { lengths }: { readonly lengths: boolean },
): string {
  const rendered = parts.map(({ column, expression, length, collate, sort }) =>
    [
      expression === ''
        ? quoteName(column) + (lengths && length > 0 ? `(${length})` : '')
        : expression,
      ...(collate === '' ? [] : [`COLLATE ${collate}`]),
      ...(sort === '' ? [] : [sort]),
    ].join(' '),
  );
  return rendered.join(',');
}

/** The DROP statements that undo what a migration added. */
export function undoStatements(
  quoteName: (name: string) => string,
  {
    index,
    foreignKey,
  }: { readonly index: 'ALTER TABLE' | 'DROP INDEX'; readonly foreignKey: string },
): GormDialect['undo'] {
  const alter = (table: string, objectKind: string, name: string): string =>
    `ALTER TABLE ${quoteName(table)} DROP ${objectKind} ${quoteName(name)}`;
  return {
    column: (table, column) => alter(table, 'COLUMN', column),
    index: (table, name) =>
      index === 'ALTER TABLE' ? alter(table, 'INDEX', name) : `DROP INDEX ${quoteName(name)}`,
    foreignKey: (table, name) => alter(table, foreignKey, name),
    constraint: (table, name) => alter(table, 'CONSTRAINT', name),
  };
}
