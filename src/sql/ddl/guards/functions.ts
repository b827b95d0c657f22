/** Aggregates and casts in the conditions of a script. */
import { words } from '../../../portable/lexer/words.ts';
import { undetermined } from './value.ts';
import type { Evaluate } from './scope.ts';
import type { Value } from './value.ts';

export const aggregates: ReadonlySet<string> = new Set(
  words('COUNT COUNT_BIG MAX MIN SUM AVG STRING_AGG GROUP_CONCAT ARRAY_AGG STDEV VAR'),
);

/** The value of an aggregate over the values of the rows. */
export function aggregate(name: string, all: readonly Value[]): Value {
  if (all.includes(undetermined)) return undetermined;
  const values = all.filter((value) => value !== null);
  if (name.startsWith('COUNT')) return values.length;
  if (values.length === 0) return null;
  const numbers = values.filter((value) => typeof value === 'number');
  if (numbers.length < values.length) return undetermined;
  if (name === 'MAX' || name === 'MIN')
    return numbers.reduce((one, other) => Math[name === 'MAX' ? 'max' : 'min'](one, other));
  return name === 'SUM' ? numbers.reduce((sum, each) => sum + each, 0) : undetermined;
}

const textTypes = /^(?:n?(?:var)?char|character|n?text|sysname|name)$/i;
const integerTypes = /^(?:bit|int|integer|bigint|smallint|tinyint|signed|unsigned)$/i;

/** The value in a type that keeps it; undetermined for other types. */
export function castTo(type: string, operand: Evaluate): Evaluate {
  return (scope) => {
    const value = operand(scope);
    if (value === null) return null;
    if (typeof value === 'string' && textTypes.test(type)) return value;
    if (typeof value === 'number' && integerTypes.test(type)) return value;
    if (typeof value === 'number' && textTypes.test(type)) return String(value);
    const isNumeric = typeof value === 'string' && /^-?\d{1,15}$/.test(value);
    return isNumeric && integerTypes.test(type) ? Number(value) : undetermined;
  };
}
