/** Selects the field for a column: the first candidate for which AutoMigrate would not alter the column. */
import { findAlteration } from '../models/find-alteration.ts';
import { parseDefault } from '../models/default-value.ts';
import { fieldTypes, nullableType } from './field-types.ts';
import { canBeInTag } from './struct-tags.ts';
import { defaultCandidates, literalOf } from './default-candidates.ts';
import type { GoFieldChoice, ReportedColumn } from '../go-field-dialect.ts';
import type { GormColumn, GormDialect } from '../gorm-dialect.ts';
import type { Column } from '../../model/schema.ts';
import type { Comparison } from '../models/find-alteration.ts';
import type { ParsedDefault } from '../models/default-value.ts';
import type { TagSetting } from './struct-tags.ts';
import type { NullStyle } from './field-types.ts';

/** A column and its role in the table. */
export interface FieldColumn {
  readonly column: Column;
  readonly reported: ReportedColumn;
  readonly choices: readonly GoFieldChoice[];
  readonly primaryKey: boolean;
  /** The primary key that GORM makes auto-increment unless its tag says otherwise. */
  readonly isPrioritizedKey: boolean;
  readonly unique: boolean;
}

export interface SelectionContext {
  /** The native type that gorm.io/datatypes uses for JSON. */
  readonly jsonType: string | undefined;
  readonly gorm: GormDialect;
  typeAliases(type: string): readonly string[];
  readonly nulls: NullStyle;
}

export interface SelectedField {
  readonly go: string;
  readonly settings: readonly TagSetting[];
  /** What AutoMigrate would alter. The tag makes AutoMigrate skip the column. */
  readonly skippedBecause?: string;
  /** In the form that GORM compares. */
  readonly comparison: Comparison;
}

interface Attempt {
  readonly choice: GoFieldChoice;
  readonly size?: number | undefined;
  /** The `default:` setting. */
  readonly defaultSetting?: string | undefined;
}

export function selectField(fieldColumn: FieldColumn, context: SelectionContext): SelectedField {
  for (const attempt of attempts(fieldColumn)) {
    const field = fieldOf(attempt, fieldColumn, context);
    if (field !== undefined && alterationOf(field, fieldColumn) === undefined) return field;
  }
  return skipInMigration(fieldColumn, context);
}

/** GORM expects a default in an auto-increment column. What it then alters depends on the driver. */
function alterationOf(
  { comparison }: SelectedField,
  { column, reported, primaryKey, isPrioritizedKey }: FieldColumn,
): string | undefined {
  if (reported.unavoidableAlteration !== undefined) return reported.unavoidableAlteration;
  if (column.autoIncrement === true && !primaryKey)
    return isPrioritizedKey ? undefined : reported.autoIncrementAlteration;
  return findAlteration(comparison);
}

function attempts({ column, reported, choices }: FieldColumn): readonly Attempt[] {
  return choices.flatMap((choice) =>
    sizesOf(choice, reported).flatMap((size) =>
      defaultCandidates(column, reported, fieldTypes[choice.goType].kind).map((defaultSetting) => ({
        choice,
        size,
        defaultSetting,
      })),
    ),
  );
}

/** If `size:` is the reported length, GORM does not search the type for numbers. */
function sizesOf(
  { size, type }: GoFieldChoice,
  { length }: ReportedColumn,
): readonly (number | undefined)[] {
  return size === undefined && type !== undefined && length !== undefined && length > 0
    ? [undefined, length]
    : [size];
}

function fieldOf(
  attempt: Attempt,
  fieldColumn: FieldColumn,
  context: SelectionContext,
): SelectedField | undefined {
  const { choice, defaultSetting } = attempt;
  const { column } = fieldColumn;
  const isPreserved = [choice.type ?? '', defaultSetting ?? '', column.comment ?? ''].every(
    canBeInTag,
  );
  const parsed = parseDefault(defaultSetting ?? '', fieldTypes[choice.goType].kind);
  if (!isPreserved || parsed.error !== undefined) return undefined;
  const go = goTypeOf(attempt, fieldColumn, context);
  const settings = settingsOf(attempt, fieldColumn);
  const field = gormColumn(attempt, fieldColumn, { parsed, settings });
  return {
    go,
    settings,
    comparison: {
      field,
      nativeType: fieldTypes[choice.goType].isJson === true ? context.jsonType : undefined,
      reported: fieldColumn.reported,
      gorm: context.gorm,
      typeAliases: context.typeAliases(fieldColumn.reported.type.toLowerCase()),
    },
  };
}

/** A generic type of database/sql, or one whose zero value has no text, cannot have a parsed default. */
function goTypeOf(
  { choice, defaultSetting }: Attempt,
  { column, primaryKey }: FieldColumn,
  { nulls }: SelectionContext,
): string {
  if (!column.nullable || primaryKey) return choice.goType;
  const isPointer =
    defaultSetting !== undefined && /\./.test(choice.goType) && choice.goType !== 'time.Time';
  return nullableType(choice.goType, isPointer ? 'pointer' : nulls).text;
}

function gormColumn(
  { choice, size, defaultSetting }: Attempt,
  { column, primaryKey, unique }: FieldColumn,
  {
    parsed,
    settings,
  }: { readonly parsed: ParsedDefault; readonly settings: readonly TagSetting[] },
): GormColumn {
  const type = fieldTypes[choice.goType];
  const derivedType = type.dataType ?? dataTypes[type.kind] ?? '';
  return {
    column: column.name,
    dataType: choice.type === undefined ? derivedType : normalizeTypeName(choice.type),
    gormDataType: derivedType,
    size: size ?? type.size,
    precision: choice.precision ?? 0,
    scale: 0,
    primaryKey,
    autoIncrement: column.autoIncrement === true,
    notNull: !column.nullable && !primaryKey,
    unique,
    hasDefault: defaultSetting !== undefined,
    defaultText: parsed.text,
    defaultValue: parsed.value,
    comment: column.comment ?? '',
    settings: new Map(
      settings.map(([name, value]) => [name.toUpperCase(), value ?? name.toUpperCase()]),
    ),
  };
}

const dataTypes: Readonly<Record<string, string>> = {
  bool: 'bool',
  int: 'int',
  uint: 'uint',
  float: 'float',
  string: 'string',
  time: 'time',
  bytes: 'bytes',
};

function normalizeTypeName(type: string): string {
  const word = type.toLowerCase();
  return Object.hasOwn(dataTypes, word) ? word : type;
}

type TaggedColumn = Pick<FieldColumn, 'column' | 'primaryKey' | 'isPrioritizedKey' | 'unique'>;

/** The settings of the tag, in their usual order. */
function settingsOf(
  { choice, size, defaultSetting }: Attempt,
  tagged: TaggedColumn,
): readonly TagSetting[] {
  const { column, primaryKey } = tagged;
  return [
    ['column', column.name],
    ...optionalSetting('type', choice.type),
    ...optionalSetting('size', size),
    ...optionalSetting('precision', choice.precision),
    ...(primaryKey ? [['primaryKey'] as const] : []),
    ...autoIncrementSettings(choice, tagged),
    ...(choice.extraSettings ?? []),
    ...(!column.nullable && !primaryKey ? [['not null'] as const] : []),
    ...optionalSetting('default', defaultSetting),
    ...(tagged.unique && !primaryKey ? [['unique'] as const] : []),
    ...optionalSetting('comment', column.comment),
  ];
}

function optionalSetting(name: string, value: string | number | undefined): readonly TagSetting[] {
  return value === undefined ? [] : [[name, String(value)]];
}

function autoIncrementSettings(
  { goType }: GoFieldChoice,
  { column, isPrioritizedKey }: TaggedColumn,
): readonly TagSetting[] {
  if (column.autoIncrement === true) return [['autoIncrement']];
  const isNumber = ['int', 'uint'].includes(fieldTypes[goType].kind);
  return isPrioritizedKey && isNumber ? [['autoIncrement', 'false']] : [];
}

/**
 * Makes AutoMigrate skip a column that it would alter with any tag. AutoMigrate then does not
 * create the column either.
 */
function skipInMigration(fieldColumn: FieldColumn, context: SelectionContext): SelectedField {
  const { column, reported, choices } = fieldColumn;
  const [choice = text] = choices;
  const size = sizesOf(choice, reported).at(-1);
  const columnWithoutComment = { ...fieldColumn, column: withoutComment(column) };
  const field =
    fieldOf(
      { choice, size, defaultSetting: plainDefault(column) },
      columnWithoutComment,
      context,
    ) ??
    fieldOf({ choice, size }, columnWithoutComment, context) ??
    fieldOf({ choice: text }, columnWithoutComment, context)!;
  const reason = alterationOf(field, fieldColumn) ?? 'its default';
  return { ...field, settings: [...field.settings, ['-', 'migration']], skippedBecause: reason };
}

const text: GoFieldChoice = { goType: 'string' };

function withoutComment({ comment: _comment, ...column }: Column): Column {
  return column;
}

/** The value of a literal default. For an expression, only that there is one. */
function plainDefault({ default: expression }: Column): string | undefined {
  if (expression === undefined) return undefined;
  if (/^[-+]?\d+(?:\.\d+)?$|^(?:true|false)$/i.test(expression)) return expression;
  const literal = literalOf(expression);
  if (literal === undefined) return '(-)';
  return literal === '' ? "''" : literal;
}

/** Why AutoMigrate would alter a foreign key column, which gets the type of the referenced column. */
export function alterationByKeyType(
  { comparison, skippedBecause }: SelectedField,
  key: SelectedField,
): string | undefined {
  const { field } = comparison;
  if (skippedBecause !== undefined) return undefined;
  const keyColumn = key.comparison.field;
  const isCopied = !/auto_increment|primary key/i.test(keyColumn.dataType);
  return findAlteration({
    ...comparison,
    field: {
      ...field,
      dataType: isCopied ? keyColumn.dataType : field.dataType,
      gormDataType: keyColumn.gormDataType,
      size: field.size === 0 ? keyColumn.size : field.size,
    },
  });
}
