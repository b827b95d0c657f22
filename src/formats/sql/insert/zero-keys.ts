import type { Column } from '../../../model/schema.ts';
import type { DataScriptRules } from '../../../sql/data-script.ts';
import type { ImportContext, Warning } from '../../row-import.ts';
import type { Value } from '../../../model/values.ts';
import type { FieldReader } from './row-groups.ts';
import type { SqlValue } from '../values/literals.ts';
import type { ScriptSession } from '../script/session.ts';

interface KeyContext {
  readonly session: ScriptSession;
  readonly dataScript: DataScriptRules;
  readonly context: ImportContext;
}

/** Whether a field stands for the default of its column: DEFAULT, and 0 where it stands for the next number. */
export function createDefaultTest(keys: KeyContext): FieldReader<SqlValue>['isDefault'] {
  return (field, column, firstNumber) => {
    const isNumbered = column?.autoIncrement === true;
    if (firstNumber !== undefined && isNumbered) return false;
    return field.kind === 'default' || (isNumbered && isNumberedZero(field, keys));
  };
}

type ReadField = (field: SqlValue) => Value;

/**
 * Replaces NULL, DEFAULT and, where it stands for the next number, 0 by the number after the highest one
 * so far, as the database of the file does. Other databases would repeat numbers that the file has, and
 * MySQL skips some when it inserts many rows at once.
 */
export function createNumbering(
  keys: KeyContext,
): (column: Column, read: ReadField, firstNumber: bigint) => ReadField {
  const highest = new Map<Column, bigint>();
  const standsForNext = (field: SqlValue): boolean =>
    field.kind === 'null' || field.kind === 'default' || isNumberedZero(field, keys);
  return (column, read, firstNumber) => (field) => {
    const last = highest.get(column) ?? firstNumber - 1n;
    if (standsForNext(field)) {
      highest.set(column, last + 1n);
      return last + 1n;
    }
    const value = read(field);
    const isNumber = typeof value === 'number' || typeof value === 'bigint';
    if (isNumber && Number.isInteger(Number(value)) && value > last)
      highest.set(column, BigInt(value));
    return value;
  };
}

/** Whether a field of a numbered column is a 0 that stands for the next number. Warns if it does. */
function isNumberedZero(field: SqlValue, { session, dataScript, context }: KeyContext): boolean {
  const isValue = !dataScript.zeroIsNextNumber || session.settings.keepsZero === true;
  if (isValue || !isZero(field)) return false;
  context.warn(numberedZeros);
  return true;
}

function isZero(field: SqlValue): boolean {
  const text = field.kind === 'number' ? field.digits : field.kind === 'text' ? field.raw : '';
  return /^[+-]?0+(?:\.0*)?$/.test(text);
}

const numberedZeros: Warning = () =>
  'Keys of 0 become the next number of their AUTO_INCREMENT column, because the file does not set sql_mode to NO_AUTO_VALUE_ON_ZERO before.';
