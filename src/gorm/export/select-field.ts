/** The field for a column: the first way to write it that AutoMigrate leaves alone. */
import { findAlteration } from './alteration.ts';
import { parseDefault } from '../models/default-value.ts';
import { fieldTypes, nullableType } from './field-types.ts';
import { survives } from './field-tags.ts';
import { defaultCandidates, literalOf } from './default-candidates.ts';
import type { GoFieldChoice, ReportedColumn } from '../go-field-dialect.ts';
import type { GormColumn, GormDialect } from '../gorm-dialect.ts';
import type { Column } from '../../model/schema.ts';
import type { Comparison } from './alteration.ts';
import type { ParsedDefault } from '../models/default-value.ts';
import type { TagSetting } from './field-tags.ts';
import type { NullStyle } from './field-types.ts';

/** A column and its place in the table. */
export interface FieldColumn {
  readonly column: Column;
  readonly reported: ReportedColumn;
  readonly choices: readonly GoFieldChoice[];
  readonly primaryKey: boolean;
  /** The key that GORM numbers unless told otherwise. */
  readonly prioritized: boolean;
  readonly unique: boolean;
}

export interface FieldContext {
  /** What gorm.io/datatypes makes of its JSON. */
  readonly jsonType: string | undefined;
  readonly gorm: GormDialect;
  aliases(type: string): readonly string[];
  readonly nulls: NullStyle;
}

export interface SelectedField {
  readonly go: string;
  readonly settings: readonly TagSetting[];
  /** Why AutoMigrate is told to pass over the column. */
  readonly skippedBecause?: string;
  /** Holds anything, as what people would write does not keep its default. */
  readonly untyped?: true;
  /** As GORM compares it. */
  readonly comparison: Comparison;
}

interface Attempt {
  readonly choice: GoFieldChoice;
  readonly size?: number | undefined;
  /** The `default:` setting. */
  readonly initial?: string | undefined;
}

export function selectField(place: FieldColumn, context: FieldContext): SelectedField {
  for (const attempt of attempts(place)) {
    const field = fieldOf(attempt, place, context);
    if (field !== undefined && alterationBy(field, place) === undefined)
      return field.go === 'any' && place.choices[0]?.go !== 'any'
        ? { ...field, untyped: true }
        : field;
  }
  return passOver(place, context);
}

/** A sequence's numbers are compared in ways of their own, which find nothing to do. */
function alterationBy(
  { comparison }: SelectedField,
  { column, reported }: FieldColumn,
): string | undefined {
  if (reported.never !== undefined) return reported.never;
  if (column.autoIncrement === true && !comparison.field.primaryKey) return undefined;
  return findAlteration(comparison);
}

function attempts({ column, reported, choices }: FieldColumn): readonly Attempt[] {
  return choices.flatMap((choice) =>
    sizesOf(choice, reported).flatMap((size) =>
      defaultCandidates(column, reported, fieldTypes[choice.go].kind).map((initial) => ({
        choice,
        size,
        initial,
      })),
    ),
  );
}

/** With the reported length as its `size:`, a type is not looked into for numbers. */
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
  place: FieldColumn,
  context: FieldContext,
): SelectedField | undefined {
  const { choice, initial } = attempt;
  const { column } = place;
  const kept = [choice.type ?? '', initial ?? '', column.comment ?? ''].every(survives);
  const parsed = parseDefault(initial ?? '', fieldTypes[choice.go].kind);
  if (!kept || parsed.error !== undefined) return undefined;
  const go = goTypeOf(attempt, place, context);
  const settings = settingsOf(attempt, place);
  const field = gormColumn(attempt, place, { parsed, settings });
  return {
    go,
    settings,
    comparison: {
      field,
      nativeType: fieldTypes[choice.go].isJson === true ? context.jsonType : undefined,
      reported: place.reported,
      gorm: context.gorm,
      aliases: context.aliases(place.reported.type.toLowerCase()),
    },
  };
}

/** A generic of database/sql, or one whose zero value has no text, cannot have a default that is parsed. */
function goTypeOf(
  { choice, initial }: Attempt,
  { column, primaryKey }: FieldColumn,
  { nulls }: FieldContext,
): string {
  if (!column.nullable || primaryKey) return choice.go;
  const isPointer = initial !== undefined && /\./.test(choice.go) && choice.go !== 'time.Time';
  return nullableType(choice.go, isPointer ? 'pointer' : nulls).text;
}

function gormColumn(
  { choice, size, initial }: Attempt,
  { column, primaryKey, unique }: FieldColumn,
  {
    parsed,
    settings,
  }: { readonly parsed: ParsedDefault; readonly settings: readonly TagSetting[] },
): GormColumn {
  const type = fieldTypes[choice.go];
  const own = type.dataType ?? dataTypes[type.kind] ?? '';
  return {
    column: column.name,
    dataType: choice.type === undefined ? own : typeWord(choice.type),
    gormDataType: own,
    size: size ?? type.size,
    precision: choice.precision ?? 0,
    scale: 0,
    primaryKey,
    autoIncrement: column.autoIncrement === true,
    notNull: !column.nullable && !primaryKey,
    unique,
    hasDefault: initial !== undefined,
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

function typeWord(type: string): string {
  const word = type.toLowerCase();
  return Object.hasOwn(dataTypes, word) ? word : type;
}

type Told = Pick<FieldColumn, 'column' | 'primaryKey' | 'prioritized' | 'unique'>;

/** In the order in which people write them. */
function settingsOf({ choice, size, initial }: Attempt, told: Told): readonly TagSetting[] {
  const { column, primaryKey } = told;
  return [
    ['column', column.name],
    ...optional('type', choice.type),
    ...optional('size', size),
    ...optional('precision', choice.precision),
    ...(primaryKey ? [['primaryKey'] as const] : []),
    ...numbering(choice, told),
    ...(choice.more ?? []),
    ...(!column.nullable && !primaryKey ? [['not null'] as const] : []),
    ...optional('default', initial),
    ...(told.unique && !primaryKey ? [['unique'] as const] : []),
    ...optional('comment', column.comment),
  ];
}

function optional(name: string, value: string | number | undefined): readonly TagSetting[] {
  return value === undefined ? [] : [[name, String(value)]];
}

function numbering({ go }: GoFieldChoice, { column, prioritized }: Told): readonly TagSetting[] {
  if (column.autoIncrement === true) return [['autoIncrement']];
  const isNumber = ['int', 'uint'].includes(fieldTypes[go].kind);
  return prioritized && isNumber ? [['autoIncrement', 'false']] : [];
}

/** What no tag keeps from being altered AutoMigrate is told to pass over; it then makes no such column either. */
function passOver(place: FieldColumn, context: FieldContext): SelectedField {
  const { column, reported, choices } = place;
  const [choice = text] = choices;
  const safe = { ...place, column: withoutComment(column) };
  const field =
    fieldOf({ choice, initial: plainDefault(column) }, safe, context) ??
    fieldOf({ choice }, safe, context) ??
    fieldOf({ choice: text }, safe, context)!;
  const why = reported.never ?? findAlteration(field.comparison) ?? 'its default';
  return { ...field, settings: [...field.settings, ['-', 'migration']], skippedBecause: why };
}

const text: GoFieldChoice = { go: 'string' };

function withoutComment({ comment: _comment, ...column }: Column): Column {
  return column;
}

/** A literal's own value; of an expression, that there is one. */
function plainDefault({ default: expression }: Column): string | undefined {
  if (expression === undefined) return undefined;
  const literal = literalOf(expression);
  if (literal === undefined) return '(-)';
  return literal === '' ? "''" : literal;
}

/** What AutoMigrate would alter a foreign key's column for, as it takes over its key's type. */
export function alterationAsKey(
  { comparison, skippedBecause }: SelectedField,
  key: SelectedField,
): string | undefined {
  const { field } = comparison;
  if (skippedBecause !== undefined) return undefined;
  const taken = key.comparison.field;
  const isCopied = !/auto_increment|primary key/i.test(taken.dataType);
  return findAlteration({
    ...comparison,
    field: {
      ...field,
      dataType: isCopied ? taken.dataType : field.dataType,
      gormDataType: taken.gormDataType,
      size: field.size === 0 ? taken.size : field.size,
    },
  });
}
