import type { ColumnType } from '../schema.ts';

/**
 * How a type changes values when it stores them, beyond what `ColumnType` describes. It is part of the
 * type, so that arrays and domains inherit it.
 */
export interface Storage {
  /** Decimals of a float (MySQL: `float(7,2)`), or of the seconds of an interval. */
  readonly decimals?: number;
  /** The fields of an interval below this unit are dropped. */
  readonly lowestField?: IntervalField;
  /** Longer texts are truncated to this many bytes. */
  readonly bytes?: number;
  /** Years of one or two digits are stored as another year (MySQL). */
  readonly shortYears?: boolean;
  /** Times are rounded to whole minutes, or to ticks of 1/300 of a second (SQL Server). */
  readonly ticks?: 'minute' | '300th of a second';
}

export type IntervalField = 'year' | 'month' | 'day' | 'hour' | 'minute';

export function storedAs<T extends ColumnType>(type: T, storage: Storage): T {
  return Object.assign(type, { storage });
}

export function storageOf(type: ColumnType): Storage {
  return 'storage' in type ? (type.storage as Storage) : {};
}

/** The reason why a column of the type would store a value other than the text means, as the end of a sentence; undefined if it stores it unchanged. */
export type FindChange = (text: string) => string | undefined;

/** Undefined for types that either store a value unchanged or reject it. */
export function changeFinder(type: ColumnType): FindChange | undefined {
  switch (type.kind) {
    case 'date':
      return changeOfDate;
    case 'time':
    case 'timestamp':
      return changeOfTime(type);
    case 'text':
      return changeOfText(type);
    case 'decimal':
      return type.scale === undefined ? undefined : changeOfDecimal(type.scale);
    case 'float':
      return changeOfFloat(type);
    case 'integer':
      return storageOf(type).shortYears === true ? changeOfYear : undefined;
    case 'interval':
      return changeOfInterval(storageOf(type));
    default:
      return undefined;
  }
}

// Dates and times.

/** A time of day with what follows it: `05:00:00.25`, `T050000`. */
const timeOfDay =
  /(?:(?<=\dT)(\d{2}(?:\d{2}(?:\d{2})?)?)(?![\d:])|(\d{1,3}:\d{1,2}(?::\d{1,2})?))(?:[.,](\d*))?(.*)$/is;

interface TimeOfDay {
  /** Hours, minutes and seconds. */
  readonly clock: string;
  readonly fraction: string;
  /** An offset or the name of a zone other than UTC. */
  readonly zone: string;
}

function readTimeOfDay(text: string): TimeOfDay | undefined {
  const found = timeOfDay.exec(text);
  if (found === null) return undefined;
  const [, compact, clock = compact ?? '', fraction = '', rest = ''] = found;
  const after = rest.trim().replace(/\s*\b(?:AM|PM|BC|AD)$/i, '');
  const isUtc = /^(?:|Z|UTC|GMT|[+-]0{1,2}(?::?00){0,2})$/i.test(after);
  const isZone = /^(?:[+-]\d|[a-z])/i.test(after);
  return { clock, fraction: fraction.replace(/0+$/, ''), zone: isZone && !isUtc ? after : '' };
}

const plainDate = /^\d{4}-\d\d-\d\d$/;
const compactTimestamp = /^\d{8}(?!0{6})\d{6}$/;

function changeOfDate(text: string): string | undefined {
  if (plainDate.test(text)) return impossibleDay(text);
  const time = readTimeOfDay(text);
  const hasTime = time !== undefined && /[1-9]/.test(time.clock + time.fraction);
  if (hasTime || compactTimestamp.test(text)) return 'has a time, which a date does not keep';
  return time === undefined || time.zone === '' ? undefined : droppedZone;
}

/** No database has a month or day of such a number in any of its modes; which days a month has depends on them. */
function impossibleDay(text: string): string | undefined {
  return Number(text.slice(5, 7)) > 12 || Number(text.slice(8, 10)) > 31
    ? 'is not a date (YYYY-MM-DD)'
    : undefined;
}

const droppedZone =
  'has an offset from UTC, which the column does not keep; convert it and leave the offset out';

type TimeType = Extract<ColumnType, { readonly kind: 'time' | 'timestamp' }>;

const maxDecimals = 6;

function changeOfTime(type: TimeType): FindChange {
  const { kind, precision = maxDecimals, zone = false } = type;
  const { ticks } = storageOf(type);
  const date = kind === 'timestamp' ? String.raw`\d{4}-\d\d-\d\d[T ]` : '';
  const fraction = precision === 0 ? '' : String.raw`(?:\.\d{1,${precision}})?`;
  const offset = zone ? String.raw`(?:Z|[+-]\d\d(?::\d\d){0,2})?` : '';
  const plain = new RegExp(String.raw`^${date}\d\d:\d\d(?::\d\d${fraction})?${offset}$`);
  return (text) => {
    if (ticks === undefined && plain.test(text))
      return kind === 'timestamp' ? impossibleDay(text) : undefined;
    const time = readTimeOfDay(text);
    if (time === undefined) return undefined;
    if (time.fraction.length > precision) return tooManyDecimals(precision);
    if (ticks !== undefined && !isOnTick(time, ticks)) return `is not a whole ${ticks}`;
    if (!zone && time.zone !== '') return droppedZone;
    const hasDate = kind === 'time' && /^\s*\d+[-/.]\d+[-/.]\d.*:|\dT\d/i.test(text);
    return hasDate ? 'has a date, which a time does not keep' : undefined;
  };
}

function tooManyDecimals(maxDigits: number): string {
  return `has more than ${maxDigits} ${maxDigits === 1 ? 'decimal' : 'decimals'} of seconds`;
}

/** Fractions of a stored datetime end in .000, .003 or .007. */
function isOnTick({ clock, fraction }: TimeOfDay, ticks: Storage['ticks']): boolean {
  const seconds = clock.includes(':') ? (clock.split(':')[2] ?? '') : clock.slice(4);
  return ticks === 'minute'
    ? Number(seconds) === 0 && fraction === ''
    : /^(?:|\d{2}[37])$/.test(fraction) || /^\d{1,2}$/.test(fraction);
}

// Intervals.

/** A number with its unit, or the fields of `04:05:06.789`. */
const intervalParts =
  /([+-]?\d+):(\d+)(?::(\d+(?:\.\d*)?))?|([+-]?\d*\.?\d+(?:e[+-]?\d+)?)\s*([a-zµ]*)/gi;

/** In seconds. Fractions of months and years count 30 days per month. */
const unitSeconds: readonly (readonly [RegExp, number])[] = [
  [/^(?:us|usecs?|microseconds?)$/i, 1e-6],
  [/^(?:ms|msecs?|milliseconds?)$/i, 1e-3],
  [/^(?:s|secs?|seconds?)$/i, 1],
  [/^(?:m|mins?|minutes?)$/, 60],
  [/^(?:h|hrs?|hours?)$/i, 3600],
  [/^(?:d|days?)$/i, 86_400],
  [/^(?:w|weeks?)$/i, 7 * 86_400],
  [/^(?:M|mons?|months?)$/, 30 * 86_400],
  [/^(?:y|yrs?|years?)$/i, 360 * 86_400],
];

const fieldSeconds: Readonly<Record<IntervalField, number>> = {
  year: 360 * 86_400,
  month: 30 * 86_400,
  day: 86_400,
  hour: 3600,
  minute: 60,
};

function changeOfInterval({ decimals = maxDecimals, lowestField }: Storage): FindChange {
  const step = lowestField === undefined ? 10 ** -decimals : fieldSeconds[lowestField];
  return (text) => {
    const source = /^[+-]?P/i.test(text) ? isoParts(text) : text;
    for (const [, hours, minutes, seconds, number, unit] of source.matchAll(intervalParts)) {
      const size = sizeOf(unit === '' ? (lowestField ?? 's') : (unit ?? '')) ?? step;
      const values =
        number === undefined
          ? [Number(hours) * 3600, Number(minutes) * 60, Number(seconds ?? 0)]
          : [Number(number) * size];
      if (!values.every((value) => isMultiple(value, step)))
        return lowestField === undefined
          ? tooManyDecimals(decimals)
          : `has parts below the ${lowestField}, which the column does not keep`;
    }
    return undefined;
  };
}

function sizeOf(unit: string): number | undefined {
  return unitSeconds.find(([name]) => name.test(unit))?.[1];
}

/** Converts the time part of a duration to lower case, so that `m` means minutes: `P1Y2MT3M`. */
function isoParts(text: string): string {
  return text.replace(/T(.*)$/i, (_, time: string) => time.toLowerCase());
}

/** Compares in microseconds, the resolution of stored intervals, within the precision of doubles. */
function isMultiple(seconds: number, step: number): boolean {
  const exact = seconds * 1e6;
  const rounded = Math.round(exact);
  return (
    Math.abs(exact - rounded) <= Math.abs(exact) * 1e-12 + 1e-3 &&
    rounded % Math.round(step * 1e6) === 0
  );
}

// Text.

type TextType = Extract<ColumnType, { readonly kind: 'text' }>;

/** Found before the database rejects the text, so that all errors of a file are known. Databases remove trailing spaces, and truncate the type `name`. */
function changeOfText(type: TextType): FindChange | undefined {
  const { length, fixed } = type;
  const { bytes } = storageOf(type);
  if (bytes !== undefined)
    return (text) =>
      text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes || isOctalByte(text, bytes)
        ? undefined
        : `has more than ${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  if (length === undefined) return undefined;
  const tooLong = `has more than ${length} ${length === 1 ? 'character' : 'characters'}`;
  return (text) => {
    if (text.length <= length || [...text].length <= length) return undefined;
    const isLongWithoutBlanks = !text.endsWith(' ') || [...text.trimEnd()].length > length;
    if (isLongWithoutBlanks) return tooLong;
    return fixed === true
      ? undefined
      : `${tooLong}, and the database would drop the blanks at its end`;
  };
}

/** PostgreSQL displays a non-ASCII byte as an octal escape. */
function isOctalByte(text: string, bytes: number): boolean {
  return bytes === 1 && /^\\[2-3][0-7]{2}$/.test(text);
}

// Numbers.

function changeOfDecimal(scale: number): FindChange {
  return (text) => (decimalsOf(text) > scale ? tooFine(scale) : undefined);
}

export function tooFine(mostDecimals: number): string {
  return `has more than ${mostDecimals} ${mostDecimals === 1 ? 'decimal' : 'decimals'}`;
}

/** The number of significant decimal places. */
export function decimalsOf(digits: string): number {
  const [mantissa = '', exponent = '0'] = digits.toLowerCase().split('e');
  const fraction = (mantissa.split('.')[1] ?? '').length;
  const significant = mantissa.replace('.', '');
  const last = significant.search(/[1-9]0*$/);
  // Zero has none at any scale, and a scale may be negative.
  if (last === -1) return -Infinity;
  return fraction - (significant.length - 1 - last) - Number(exponent);
}

type FloatType = Extract<ColumnType, { readonly kind: 'float' }>;

/** A float stores the nearest number of its precision. Only rounding to fewer decimals counts as a change. */
function changeOfFloat(type: FloatType): FindChange | undefined {
  const { decimals } = storageOf(type);
  if (decimals === undefined) return undefined;
  const roundToStored = type.bits === 32 ? Math.fround : Number;
  return (text) => {
    const value = Number(text);
    const isUnchanged =
      !Number.isFinite(value) ||
      roundToStored(value) === roundToStored(Number(value.toFixed(decimals)));
    return isUnchanged ? undefined : tooFine(decimals);
  };
}

function changeOfYear(text: string): string | undefined {
  const value = Number(text);
  const isShort = value > 0 && value < 100;
  return isShort ? 'means another year there; write all four digits' : undefined;
}
