/** The type of a computed column whose file does not name one. */
import { callKinds, castKind, integerBits, valueKind } from './infer.ts';
import type { ColumnType } from '../../model/schema.ts';
import type { ColumnsByName, ValueKind } from './infer.ts';
import type { Expression } from './tree.ts';

const integer: ColumnType = { kind: 'integer', bits: 64 };
const decimal: ColumnType = { kind: 'decimal' };
const float: ColumnType = { kind: 'float', bits: 64 };

const numericKinds: ReadonlySet<string> = new Set(['integer', 'decimal', 'float']);

const typesOfKinds: Readonly<Partial<Record<ValueKind, ColumnType>>> = {
  boolean: { kind: 'boolean' },
  text: { kind: 'text' },
  bytes: { kind: 'binary' },
};

/** A type that holds every value of the expression; undefined if that is not certain. */
export function inferType(expression: Expression, columns: ColumnsByName): ColumnType | undefined {
  switch (expression.kind) {
    case 'column': {
      const type = columns.get(expression.name.toLowerCase())?.type;
      return type?.kind === 'untyped' || type?.kind === 'other' ? undefined : type;
    }
    case 'number':
      return numberType(expression.text);
    case 'cast':
      return typeOfCast(expression.type);
    case 'unary':
      if (expression.operator === 'not') return { kind: 'boolean' };
      return widened(inferType(expression.operand, columns));
    case 'binary':
      return operationType(expression, columns);
    case 'call':
      return callType(expression, columns);
    case 'case': {
      const results = expression.branches.map(({ result }) => result);
      return commonType(
        [...results, ...(expression.otherwise ? [expression.otherwise] : [])],
        columns,
      );
    }
    default:
      return typesOfKinds[valueKind(expression, columns)];
  }
}

function numberType(text: string): ColumnType {
  if (/e/i.test(text)) return float;
  return /^\d{1,18}$/.test(text) ? integer : decimal;
}

function typeOfCast(name: string): ColumnType | undefined {
  const kind = castKind(name);
  if (kind !== 'number') return typesOfKinds[kind];
  if (integerBits(name) !== undefined) return integer;
  return /real|double|float/.test(name) ? float : decimal;
}

type Binary = Extract<Expression, { readonly kind: 'binary' }>;

function operationType(expression: Binary, columns: ColumnsByName): ColumnType | undefined {
  const kind = valueKind(expression, columns);
  return kind === 'number'
    ? numericType([expression.left, expression.right], columns)
    : typesOfKinds[kind];
}

function callType(
  { name, args }: Extract<Expression, { readonly kind: 'call' }>,
  columns: ColumnsByName,
): ColumnType | undefined {
  switch (name) {
    case 'characters':
    case 'trimmedCharacters':
      return integer;
    case 'abs':
    case 'round':
    case 'floor':
    case 'ceiling':
      return numericType(args.slice(0, 1), columns);
    case 'coalesce':
      return commonType(args, columns);
    default:
      return callKinds[name] === 'text' ? { kind: 'text' } : undefined;
  }
}

/** The type of arithmetic with these operands. */
function numericType(
  operands: readonly Expression[],
  columns: ColumnsByName,
): ColumnType | undefined {
  const kinds = operands.map((operand) => widened(inferType(operand, columns))?.kind);
  if (kinds.some((kind) => kind === undefined || !numericKinds.has(kind))) return undefined;
  if (kinds.includes('float')) return float;
  return kinds.includes('decimal') ? decimal : integer;
}

/** One type for values of which any may be the result. NULL fits every type. */
function commonType(
  expressions: readonly Expression[],
  columns: ColumnsByName,
): ColumnType | undefined {
  const values = expressions.filter(({ kind }) => kind !== 'null');
  const numeric = numericType(values, columns);
  if (values.length > 0 && numeric !== undefined) return numeric;
  const [first, ...otherTypes] = values.map((value) => widened(inferType(value, columns)));
  return first !== undefined && otherTypes.every((type) => type?.kind === first.kind)
    ? first
    : undefined;
}

/** The largest type of the kind: a result may be larger than its operands. */
function widened(type: ColumnType | undefined): ColumnType | undefined {
  switch (type?.kind) {
    case 'integer':
      return integer;
    case 'decimal':
      return decimal;
    case 'float':
      return float;
    case 'text':
      return { kind: 'text' };
    default:
      return type;
  }
}
