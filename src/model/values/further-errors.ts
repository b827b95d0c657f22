/**
 * What else the database would reject in a row that is rejected for one of its values: readers do not send such a
 * row, and databases name only the first reason.
 */
import { rejectedValue } from './rejected-value.ts';
import type { RowError } from '../load.ts';
import type { Column, Table } from '../schema.ts';
import type { Row, Value } from '../values.ts';

type ValueError = Required<Pick<RowError, 'code' | 'message' | 'column' | 'value'>>;

interface ReadRow {
  readonly table: Table;
  readonly columns: readonly Column[];
  readonly row: Row;
  /** The columns whose values are reported already. */
  readonly isReported: (i: number) => boolean;
}

/** A trigger that would replace such a value does not run for the row. */
export function furtherErrors({ table, columns, row, isReported }: ReadRow): readonly ValueError[] {
  return columns.flatMap((column, i) => {
    const value = row[i];
    const found =
      value === undefined || isReported(i) ? undefined : errorOf(value, { table, column });
    if (found === undefined || value === undefined) return [];
    return [{ ...found, column: column.name, value: rejectedValue(value, column) }];
  });
}

interface TableColumn {
  readonly table: Table;
  readonly column: Column;
}

function errorOf(
  value: Value,
  { table, column }: TableColumn,
): Pick<ValueError, 'code' | 'message'> | undefined {
  const { name, nativeType } = column;
  if (value === null)
    return rejectsNull(column, table)
      ? { code: 'not_null_violation', message: `Column "${name}" must have a value.` }
      : undefined;
  if (typeof value !== 'string' || !isDateColumn(column) || isPossibleDay(value)) return undefined;
  const message = `Column "${name}" (${nativeType}): ${JSON.stringify(value)} is not a date of the calendar.`;
  return { code: 'invalid_value', message };
}

/** Some databases replace NULL in a key by the next number, and in a timestamp by the current time. */
function rejectsNull(column: Column, { primaryKey, resolvesConflicts }: Table): boolean {
  const { nullable, mayHoldNull, autoIncrement, generated, name, type } = column;
  const isReplaced =
    autoIncrement === true ||
    generated !== undefined ||
    resolvesConflicts === true ||
    type.kind === 'timestamp' ||
    (type.kind === 'integer' && primaryKey?.columns.includes(name) === true);
  return !nullable && mayHoldNull !== true && !isReplaced;
}

function isDateColumn({ dynamic, type }: Column): boolean {
  return dynamic !== true && (type.kind === 'date' || type.kind === 'timestamp');
}

const dayPattern = /^(\d{4})-(\d\d)-(\d\d)(?!\d)/;

/** Whether the calendar has the day with which a text begins. Zero dates are left to the database. */
function isPossibleDay(text: string): boolean {
  const [, year, month, day] = (dayPattern.exec(text) ?? []).map(Number);
  if (year === undefined || !month || !day) return true;
  return day <= new Date(Date.UTC(year < 100 ? year + 400 : year, month, 0)).getUTCDate();
}
