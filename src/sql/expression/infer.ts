import type { Column, ColumnKind } from '../../model/schema.ts';
import type { Expression } from './tree.ts';
import { comparisons } from './tree.ts';

/** The type of an expression's value, as far as rendering depends on it. */
export type ValueKind = 'boolean' | 'number' | 'text' | 'time' | 'bytes' | 'other' | 'unknown';

/** Columns by their names in lower case: in no dialect do expressions distinguish columns by case alone. */
export type ColumnsByName = ReadonlyMap<string, Column>;

export function columnsByName(columns: readonly Column[]): ColumnsByName {
  return new Map(columns.map((column) => [column.name.toLowerCase(), column]));
}

const kinds: Readonly<Partial<Record<ColumnKind, ValueKind>>> = {
  boolean: 'boolean',
  integer: 'number',
  decimal: 'number',
  float: 'number',
  text: 'text',
  enum: 'text',
  set: 'text',
  uuid: 'text',
  date: 'time',
  time: 'time',
  timestamp: 'time',
  binary: 'bytes',
};

/** The kind of what a function returns, whatever its arguments are. */
export const callKinds: Readonly<Record<string, ValueKind>> = {
  now: 'time',
  today: 'time',
  timeOfDay: 'time',
  uuid: 'text',
  lower: 'text',
  upper: 'text',
  trim: 'text',
  ltrim: 'text',
  rtrim: 'text',
  substring: 'text',
  replace: 'text',
  characters: 'number',
  trimmedCharacters: 'number',
  abs: 'number',
  round: 'number',
  floor: 'number',
  ceiling: 'number',
};

export function valueKind(expression: Expression, columns: ColumnsByName): ValueKind {
  switch (expression.kind) {
    case 'boolean':
    case 'in':
    case 'between':
    case 'isNull':
      return 'boolean';
    case 'number':
    case 'text':
    case 'bytes':
      return expression.kind;
    case 'column': {
      const column = columns.get(expression.name.toLowerCase());
      return column === undefined ? 'unknown' : (kinds[column.type.kind] ?? 'other');
    }
    case 'call':
      return (
        callKinds[expression.name] ??
        (expression.args[0] === undefined ? 'unknown' : valueKind(expression.args[0], columns))
      );
    case 'unary':
      return expression.operator === 'not' ? 'boolean' : 'number';
    case 'binary':
      return operationKind(expression, columns);
    case 'case':
      return expression.branches[0] === undefined
        ? 'unknown'
        : valueKind(expression.branches[0].result, columns);
    case 'cast':
      return castKind(expression.type);
    default:
      return 'unknown';
  }
}

/** `+` of texts is a text: SQL Server concatenates with it. */
function operationKind(
  { operator, left }: Extract<Expression, { kind: 'binary' }>,
  columns: ColumnsByName,
): ValueKind {
  if (operator === 'concat') return 'text';
  if (operator === '+') return valueKind(left, columns) === 'text' ? 'text' : 'number';
  const isCondition = comparisons.has(operator) || /and|or|like/.test(operator);
  return isCondition ? 'boolean' : 'number';
}

/** The kind of value that a cast to this type name, without sizes, returns. */
export function castKind(type: string): ValueKind {
  if (type.endsWith('[]')) return 'other';
  if (integerBits(type) !== undefined) return 'number';
  return typeWords.find(([, words]) => words.test(type))?.[0] ?? 'other';
}

/** The size of an integer type. Undefined for other types. */
export function integerBits(type: string): number | undefined {
  return integerTypes.find(([name]) => name.test(type))?.[1];
}

const integerTypes: readonly (readonly [name: RegExp, bits: number])[] = [
  [/^(?:tinyint|int1)\b/, 8],
  [/^(?:smallint|int2|smallserial|serial2)/, 16],
  [/^(?:mediumint|middleint|int3)/, 24],
  [/^(?:bigint|int8|bigserial|serial8|signed|unsigned)/, 64],
  [/^(?:int|integer|int4|serial4?)\b/, 32],
];

const typeWords: readonly (readonly [ValueKind, RegExp])[] = [
  ['boolean', /^bool(?:ean)?$|^bit$/],
  ['number', /^(?:numeric|decimal|dec|real|double|float\d?|money|smallmoney|number)\b/],
  ['text', /char|text|^(?:enum|uuid|uniqueidentifier|sysname|name|citext|string)\b/],
  ['time', /^(?:date|time)/],
  ['bytes', /blob|binary|bytea|image/],
];
