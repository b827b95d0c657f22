/**
 * Dates without a month or day and times of more than a day, which MySQL has and the database may not have.
 * Like pgloader, an import stores NULL for a zero date, which means that there is none.
 */
import { shortText } from '../../../model/values/cut-text.ts';
import { valueError } from './value-error.ts';
import type { Column } from '../../../model/schema.ts';
import type { Value } from '../../../model/values.ts';
import type { DataScriptRules } from '../../../sql/data-script.ts';
import type { ImportContext, Warning } from '../../row-import.ts';
import type { SqlValue } from '../values/literals.ts';

interface ZeroDateOptions {
  readonly dataScript: Pick<DataScriptRules, 'hasZeroDates'>;
  readonly isOwnDialect: boolean;
}

type ReadValue = (value: SqlValue) => Value;

const zeroDate = /^\s*0{4}-?00-?00(?:[T ]?00:?00:?00(?:\.0*)?)?\s*$/;
/** The function converts a reader of a column. Warnings are counted by column. */
export function createZeroDates(
  { dataScript, isOwnDialect }: ZeroDateOptions,
  context: Pick<ImportContext, 'warn'>,
): (column: Column, read: ReadValue) => ReadValue {
  const warnings = new Map<Column, Warning>();
  return (column, read) => {
    const { kind } = column.type;
    const canStore = dataScript.hasZeroDates !== true || isOwnDialect || column.dynamic === true;
    if (canStore) return read;
    if (kind === 'time') return rejecting(column, read, notATime);
    if (kind !== 'date' && kind !== 'timestamp') return read;
    const warning = warnings.get(column) ?? zeroDateWarning(column);
    warnings.set(column, warning);
    const readComplete = rejecting(column, read, notADate);
    return (value) => {
      if (value.kind !== 'text' || !zeroDate.test(value.raw)) return readComplete(value);
      if (!column.nullable) throw rejection(column, value.raw, zeroInNotNull);
      context.warn(warning, value.raw);
      return null;
    };
  };
}

function zeroDateWarning({ name }: Column): Warning {
  return (count) =>
    `${count} zero ${count === 1 ? 'date' : 'dates'} of column "${name}" became NULL, because the database has none.`;
}

const zeroInNotNull =
  'is a zero date, which the database does not have, and the column is NOT NULL. Remove NOT NULL from the column in the file to import NULL, or write another date';
/** Texts with a value that the database does not have. */
interface RejectedForm {
  readonly form: RegExp;
  readonly reason: string;
}

const notADate: RejectedForm = {
  form: /^\s*\d{4}-(?:00-\d\d|\d\d-00)/,
  reason: 'has no month or no day, and the database has only complete dates',
};

/** PostgreSQL has 24:00:00. */
const notATime: RejectedForm = {
  form: /^\s*(?:-|(?:2[4-9]|[3-9]\d|\d{3}):)(?!(?<=24:)00:00(?:\.0*)?\s*$)/,
  reason:
    'is negative or longer than a day, and the database has only times of a day. Change the type of the column in the file to VARCHAR(20) to keep such values',
};

function rejecting(column: Column, read: ReadValue, { form, reason }: RejectedForm): ReadValue {
  return (value) => {
    if (value.kind === 'text' && form.test(value.raw)) throw rejection(column, value.raw, reason);
    return read(value);
  };
}

function rejection(column: Column, text: string, reason: string): Error {
  return valueError(column, `${JSON.stringify(shortText(text))} ${reason}.`);
}
