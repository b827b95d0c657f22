import { castKind, integerBits } from './infer.ts';
import { inferType } from './infer-type.ts';
import type { ColumnType } from '../../model/schema.ts';
import type { ColumnsByName } from './infer.ts';
import type { CastType, Expression } from './tree.ts';

/** Whether a cast to a type of the same kind returns every value of its operand unchanged. */
export function preservesValues(
  { operand, ...to }: Extract<Expression, { readonly kind: 'cast' }>,
  columns: ColumnsByName,
): boolean {
  if (operand.kind === 'number') return !truncatesLiteral(operand, to);
  if (operand.kind === 'text' || operand.kind === 'boolean') return true;
  switch (castKind(to.type)) {
    case 'number':
      return preservesNumbers(inferType(operand, columns), to);
    case 'time':
      return preservesTimes(inferType(operand, columns), to);
    case 'text':
    case 'bytes':
      return !to.isSized;
    default:
      return true;
  }
}

/** Whether a number with a fraction is cast to a whole number. */
export function truncatesLiteral(
  literal: Extract<Expression, { readonly kind: 'number' }>,
  { type }: Pick<CastType, 'type'>,
): boolean {
  return integerBits(type) !== undefined && /[.e]/i.test(literal.text);
}

function preservesNumbers(from: ColumnType | undefined, { type, isSized }: CastType): boolean {
  const bits = integerBits(type);
  switch (from?.kind) {
    case 'integer':
      return bits === undefined || from.bits <= bits;
    case 'decimal':
      return bits === undefined && !isSized && !type.includes('money');
    case 'float':
      return /^(?:double|float|real)/.test(type) && !isSized;
    default:
      return false;
  }
}

function preservesTimes(from: ColumnType | undefined, { type, isSized }: CastType): boolean {
  if (isSized) return false;
  if (type === 'date') return from?.kind === 'date';
  if (/^time(?:$| |tz)/.test(type)) return from?.kind === 'time';
  return from?.kind === 'timestamp' || from?.kind === 'date';
}
