/** Computes fields of dates and times: `EXTRACT(YEAR FROM DATE '2020-01-31')`, `YEAR('2020-01-31')`. */
import { instantOf } from './shifted-time.ts';
import { isRealTime } from './value-functions.ts';
import type { SqlValue } from './literals.ts';

/** A time without a zone, as an instant in UTC. */
export interface LocalTime {
  readonly instant: Date;
  /** Fractional digits beyond seconds. */
  readonly fraction: string;
  readonly hasTime: boolean;
}

const isoTime = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(:\d\d(?:\.(\d{1,9}))?)?)?$/;

/** Undefined for other values, and for times with an offset, whose fields depend on the session. */
export function localTimeOf(value: SqlValue, now: Date): LocalTime | undefined {
  if (value.kind === 'now')
    return value.part === 'time'
      ? undefined
      : {
          instant: wholeSeconds(instantOf(now, value), value.part === 'date'),
          fraction: '',
          hasTime: value.part !== 'date',
        };
  if (value.kind === 'cast') {
    const isLocal = /^(?:DATE|DATETIME2?|SMALLDATETIME|TIMESTAMP(?: WITHOUT TIME ZONE)?)$/;
    if (!isLocal.test(value.type.name) || value.type.sizes.length > 0) return undefined;
    const found = localTimeOf(value.value, now);
    if (found === undefined || value.type.name !== 'DATE') return found;
    return { instant: wholeSeconds(found.instant, true), fraction: '', hasTime: false };
  }
  const [, date, minutes, seconds = ':00', fraction = ''] =
    isoTime.exec(value.kind === 'text' ? value.raw : '') ?? [];
  if (date === undefined) return undefined;
  const time = `${minutes ?? '00:00'}${seconds.slice(0, 3)}`;
  if (!isRealTime(`${date} ${time}`)) return undefined;
  const hasTime = minutes !== undefined;
  return { instant: new Date(`${date}T${time}Z`), fraction: fraction.replace(/0+$/, ''), hasTime };
}

function wholeSeconds(instant: Date, isDate: boolean): Date {
  const unit = isDate ? 86_400_000 : 1000;
  return new Date(Math.floor(instant.getTime() / unit) * unit);
}

const dayLength = 86_400_000;

function dayOfYear(instant: Date): number {
  return Math.floor((instant.getTime() - Date.UTC(instant.getUTCFullYear(), 0)) / dayLength) + 1;
}

/** The fields that are the same in every database that has them. */
const commonFields: Readonly<Record<string, (instant: Date) => number>> = {
  YEAR: (instant) => instant.getUTCFullYear(),
  QUARTER: (instant) => Math.floor(instant.getUTCMonth() / 3) + 1,
  MONTH: (instant) => instant.getUTCMonth() + 1,
  DAY: (instant) => instant.getUTCDate(),
  HOUR: (instant) => instant.getUTCHours(),
  MINUTE: (instant) => instant.getUTCMinutes(),
  SECOND: (instant) => instant.getUTCSeconds(),
  DOY: dayOfYear,
};

const fieldsWithEpoch: typeof commonFields = {
  ...commonFields,
  DOW: (instant) => instant.getUTCDay(),
  ISODOW: (instant) => instant.getUTCDay() || 7,
  EPOCH: (instant) => instant.getTime() / 1000,
};

/** The names of DATEPART in SQL Server, and the plurals of PostgreSQL. */
const fieldNames: Readonly<Record<string, string>> = {
  YY: 'YEAR', YYYY: 'YEAR', YEARS: 'YEAR', QQ: 'QUARTER', Q: 'QUARTER', MM: 'MONTH', M: 'MONTH', MONTHS: 'MONTH',
  DD: 'DAY', D: 'DAY', DAYS: 'DAY', DAYOFYEAR: 'DOY', DY: 'DOY', Y: 'DOY', HH: 'HOUR', HOURS: 'HOUR',
  MI: 'MINUTE', N: 'MINUTE', MINUTES: 'MINUTE', SS: 'SECOND', S: 'SECOND', SECONDS: 'SECOND',
}; // prettier-ignore

interface FieldContext {
  /** The time of the import. */
  readonly now: Date;
  /** There are EPOCH and days of the week, and seconds have their fraction. */
  readonly hasEpoch: boolean;
}

/** Undefined if only a database can compute it. */
export function fieldOfTime(
  name: string,
  value: SqlValue,
  { now, hasEpoch }: FieldContext,
): SqlValue | undefined {
  if (value.kind === 'null') return value;
  const time = localTimeOf(value, now);
  const upper = name.toUpperCase();
  const field = Object.hasOwn(fieldNames, upper) ? fieldNames[upper]! : upper;
  const fields = hasEpoch ? fieldsWithEpoch : commonFields;
  if (time === undefined || !Object.hasOwn(fields, field)) return undefined;
  const digits = String(fields[field]!(time.instant));
  const hasFraction = hasEpoch && (field === 'SECOND' || field === 'EPOCH');
  if (!hasFraction || time.fraction === '') return { kind: 'number', digits };
  // A fraction before 1970 would count backwards.
  return digits.startsWith('-')
    ? undefined
    : { kind: 'number', digits: `${digits}.${time.fraction}` };
}
