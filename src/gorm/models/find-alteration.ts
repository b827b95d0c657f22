/** Compares a field with an existing column as GORM does (migrator.MigrateColumn of 1.31). */
import { parseBoolean } from '../go/syntax/literals.ts';
import type { GormColumn, GormDialect } from '../gorm-dialect.ts';
import type { ReportedColumn } from '../go-field-dialect.ts';

export interface Comparison {
  readonly field: GormColumn;
  /** The data type that follows from the Go type, regardless of the tag. */
  readonly nativeType: string | undefined;
  readonly reported: ReportedColumn;
  readonly gorm: GormDialect;
  readonly typeAliases: readonly string[];
}

/** Why AutoMigrate would alter the column. Undefined if it would not. */
export function findAlteration(comparison: Comparison): string | undefined {
  return alteration({
    ...comparison,
    text: definition(comparison),
    type: comparison.reported.type.toLowerCase(),
  });
}

interface ColumnComparison extends Comparison {
  /** The field's type and the clauses after it in DDL, in lower case. */
  readonly text: string;
  readonly type: string;
}

function alteration(comparison: ColumnComparison): string | undefined {
  const { field } = comparison;
  const size = sizeDiffers(comparison) ? 'its size' : undefined;
  const digits = digitsDiffer(comparison) ? 'its precision' : undefined;
  if (field.primaryKey) return size ?? digits;
  return (
    (typeDiffers(comparison) ? 'its type' : undefined) ??
    size ??
    digits ??
    (dropsNotNull(comparison) ? 'NOT NULL' : undefined) ??
    (defaultDiffers(comparison) ? 'its default' : undefined) ??
    (commentDiffers(comparison) ? 'its comment' : undefined)
  );
}

function definition({ field, nativeType, gorm }: Comparison): string {
  const defaultSetting = defaultOf(field, gorm);
  return [
    nativeType ?? gorm.columnType(field),
    ...(field.notNull ? ['NOT NULL'] : []),
    ...(defaultSetting === undefined ? [] : [`DEFAULT ${defaultSetting}`]),
    gorm.columnSuffix(field),
  ]
    .join(' ')
    .trim()
    .toLowerCase();
}

function defaultOf(field: GormColumn, gorm: GormDialect): string | undefined {
  if (!field.hasDefault) return undefined;
  if (field.defaultValue !== undefined) return gorm.literal(field.defaultValue);
  // The tag `default:(-)` declares a default that only the database knows.
  return field.defaultText === '' || field.defaultText === '(-)' ? undefined : field.defaultText;
}

function isAlias({ text, type, typeAliases }: ColumnComparison): boolean {
  return !text.startsWith(type) && typeAliases.some((alias) => text.startsWith(alias));
}

function typeDiffers(comparison: ColumnComparison): boolean {
  return !comparison.text.startsWith(comparison.type) && !isAlias(comparison);
}

/**
 * Sizes are not compared if an alias of the type matches. The types of keys are not compared, and
 * so neither are aliases.
 */
function sizeDiffers(comparison: ColumnComparison): boolean {
  const { field, reported, text, type } = comparison;
  const isSame = text === type || (!field.primaryKey && isAlias(comparison));
  const length = reported.length ?? 0;
  if (isSame || length === field.size) return false;
  if (length > 0 && field.size > 0) return true;
  const numbers = [...text.matchAll(/\D*(\d+)\D?/g)];
  return (
    !field.primaryKey &&
    reported.length !== undefined &&
    numbers.length === 1 &&
    numbers[0]?.[1] !== String(length)
  );
}

function digitsDiffer({
  field,
  nativeType,
  reported,
  gorm,
  text,
  type,
}: ColumnComparison): boolean {
  const { precision, scale = 0 } = reported;
  if (precision === undefined) return false;
  if (type === 'decimal' || (type === 'numeric' && /numeric\(.*\)/.test(text)))
    return (
      !text.startsWith(`${type}(${precision},${scale})`) &&
      !text.startsWith(`${type}(${precision})`)
    );
  const pattern = new RegExp(`[^0-9]${field.precision}[^0-9]`);
  return field.precision !== precision && pattern.test(nativeType ?? gorm.columnType(field));
}

/** AutoMigrate removes NOT NULL, but never adds it. */
function dropsNotNull({ field, reported }: Comparison): boolean {
  return reported.nullable === false && !field.notNull;
}

function defaultDiffers({ field, reported }: Comparison): boolean {
  const hasDefault =
    field.hasDefault &&
    (field.defaultValue !== undefined || field.defaultText.toLowerCase() !== 'null');
  const currentDefault = reported.default;
  if (currentDefault === undefined || !hasDefault)
    return hasDefault || currentDefault !== undefined;
  return !isSameDefault(currentDefault, field);
}

function isSameDefault(current: string, { gormDataType, defaultText }: GormColumn): boolean {
  switch (gormDataType) {
    case 'time':
      return withoutParentheses(current) === withoutParentheses(defaultText);
    case 'bool':
      return (parseBoolean(current) ?? false) === (parseBoolean(defaultText) ?? false);
    case 'string':
      return current === defaultText || current === defaultText.replaceAll(/^['"]+|['"]+$/g, '');
    default:
      return current === defaultText;
  }
}

/** `CURRENT_TIMESTAMP()` and `current_timestamp` are the same default. */
function withoutParentheses(text: string): string {
  return text.replace(/\(\)$/, '').toLowerCase();
}

function commentDiffers({ field, reported }: Comparison): boolean {
  return reported.comment !== undefined && reported.comment !== field.comment;
}
