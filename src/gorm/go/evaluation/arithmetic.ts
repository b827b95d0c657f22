/** Arithmetic on values, with the integers and texts of Go. */
import { convert, constant, typeOfValue, unknownOf } from './value.ts';
import type { GoType } from '../program/types.ts';
import type { ConstantValue, Value } from './value.ts';

/** Applies an operator to two values. An operand without a type gets that of the other. */
export function calculate(operator: string, a: Value, b: Value): Value {
  const isShift = operator === '<<' || operator === '>>';
  const ofLeft = a.kind === 'constant' ? a.type : undefined;
  const type = ofLeft ?? (b.kind === 'constant' && !isShift ? b.type : undefined);
  const left = type === undefined ? a : convert(a, type);
  const right = type === undefined || isShift ? b : convert(b, type);
  const exact =
    left.kind === 'constant' &&
    right.kind === 'constant' &&
    (type !== undefined || isExact(left.value, right.value))
      ? combine(operator, left.value, right.value)
      : undefined;
  if (exact !== undefined) return inType(exact, type);
  return unknownOf(typeOfValue(a.kind === 'unknown' ? b : a));
}

/** Go computes constants without a type exactly, for which sums of eighths or so are good enough here. */
function isExact(...values: readonly ConstantValue[]): boolean {
  return values.every(
    (value) => typeof value !== 'number' || Number.isSafeInteger(value * exactFraction),
  );
}

const exactFraction = 2 ** 10;

/** The value, if the type has it. */
export function inType(value: ConstantValue, type: GoType | undefined): Value {
  return type === undefined ? constant(value) : convert(constant(value), type);
}

function combine(operator: string, a: ConstantValue, b: ConstantValue): ConstantValue | undefined {
  if (typeof a === 'string' && typeof b === 'string')
    return operator === '+' && a.length + b.length <= maxTextLength ? a + b : undefined;
  if (typeof a === 'bigint' && typeof b === 'bigint') return combineIntegers(operator, a, b);
  if (
    typeof a === 'boolean' ||
    typeof b === 'boolean' ||
    typeof a === 'string' ||
    typeof b === 'string'
  )
    return undefined;
  return combineFloats(operator, Number(a), Number(b));
}

/** Undefined for a division by zero and a result beyond float64, which the compiler rejects. */
function combineFloats(operator: string, x: number, y: number): number | undefined {
  const result = { '+': x + y, '-': x - y, '*': x * y, '/': x / y }[operator];
  return result !== undefined && Number.isFinite(result) ? result : undefined;
}

const maxTextLength = 65_536;
const maxShift = 512n;
/** Beyond what compilers represent. */
const maxInteger = 2n ** 1024n;

function combineIntegers(operator: string, a: bigint, b: bigint): bigint | undefined {
  const isShift = operator === '<<' || operator === '>>';
  if (((operator === '/' || operator === '%') && b === 0n) || (isShift && (b < 0n || b > maxShift)))
    return undefined;
  const operations: Readonly<Record<string, (x: bigint, y: bigint) => bigint>> = {
    '+': (x, y) => x + y,
    '-': (x, y) => x - y,
    '*': (x, y) => x * y,
    '/': (x, y) => x / y,
    '%': (x, y) => x % y,
    '<<': (x, y) => x << y,
    '>>': (x, y) => x >> y,
    '&': (x, y) => x & y,
    '|': (x, y) => x | y,
    '^': (x, y) => x ^ y,
    '&^': (x, y) => x & ~y,
  };
  const result = operations[operator]?.(a, b);
  return result === undefined || result > maxInteger || result < -maxInteger ? undefined : result;
}
