import type { ColumnType } from './schema.ts';

/**
 * What a type does to values beyond what `ColumnType` says. It is stored in the type, so that
 * arrays and domains inherit it.
 */
export interface Storage {
  /** Decimals of a float (MySQL: `float(7,2)`), or of the seconds of an interval. */
  readonly decimals?: number;
  /** The fields of an interval below this unit are dropped. */
  readonly lowestField?: IntervalField;
  /** Longer texts are cut. */
  readonly bytes?: number;
  /** One and two digits mean another year (MySQL). */
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

/** Why a column of the type would store another value than a text means, as the end of a sentence; undefined where it keeps it. */
export type FindChange = (text: string) => string | undefined;

/** Undefined for types that keep or reject every value themselves. */
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
  if (plainDate.test(text)) return undefined;
  const time = readTimeOfDay(text);
  const hasTime = time !== undefined && /[1-9]/.test(time.clock + time.fraction);
  if (hasTime || compactTimestamp.test(text)) return 'has a time, which a date does not keep';
  return time === undefined || time.zone === '' ? undefined : droppedZone;
}

const droppedZone =
  'has an offset from UTC, which the column does not keep; convert it and leave the offset out';

type TimeType = Extract<ColumnType, { readonly kind: 'time' | 'timestamp' }>;

const mostDecimals = 6;

function changeOfTime(type: TimeType): FindChange {
  const { kind, precision = mostDecimals, zone = false } = type;
  const { ticks } = storageOf(type);
  const date = kind === 'timestamp' ? String.raw`\d{4}-\d\d-\d\d[T ]` : '';
  const fraction = precision === 0 ? '' : String.raw`(?:\.\d{1,${precision}})?`;
  const offset = zone ? String.raw`(?:Z|[+-]\d\d(?::\d\d)?)?` : '';
  const plain = new RegExp(String.raw`^${date}\d\d:\d\d(?::\d\d${fraction})?${offset}$`);
  return (text) => {
    if (ticks === undefined && plain.test(text)) return undefined;
    const time = readTimeOfDay(text);
    if (time === undefined) return undefined;
    if (time.fraction.length > precision) return tooManyDecimals(precision);
    if (ticks !== undefined && !isOnTick(time, ticks)) return `is not a whole ${ticks}`;
    if (!zone && time.zone !== '') return droppedZone;
    const hasDate = kind === 'time' && /\d[-/.]\d+[-/.]\d.*:|\dT\d/i.test(text);
    return hasDate ? 'has a date, which a time does not keep' : undefined;
  };
}

function tooManyDecimals(most: number): string {
  return `has more than ${most} ${most === 1 ? 'decimal' : 'decimals'} of seconds`;
}

/** What datetime stores ends in .000, .003 or .007. */
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

/** In seconds; months and years are 30 days each where they have a fraction. */
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

function changeOfInterval({ decimals = mostDecimals, lowestField }: Storage): FindChange {
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

/** `P1Y2MT3M`: a small `m` is minutes. */
function isoParts(text: string): string {
  return text.replace(/T(.*)$/i, (_, time: string) => time.toLowerCase());
}

/** In microseconds, below which nothing is kept; as far as doubles tell. */
function isMultiple(seconds: number, step: number): boolean {
  const exact = seconds * 1e6;
  const whole = Math.round(exact);
  return (
    Math.abs(exact - whole) <= Math.abs(exact) * 1e-12 + 1e-3 &&
    whole % Math.round(step * 1e6) === 0
  );
}

// Text.

type TextType = Extract<ColumnType, { readonly kind: 'text' }>;

/** Databases reject a text that is too long, but drop blanks at its end, and cut short names. */
function changeOfText(type: TextType): FindChange | undefined {
  const { length, fixed } = type;
  const { bytes } = storageOf(type);
  if (bytes !== undefined)
    return (text) =>
      text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes || isOctalByte(text, bytes)
        ? undefined
        : `has more than ${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  if (length === undefined || fixed === true) return undefined;
  return (text) =>
    text.length > length && text.endsWith(' ') && [...text].length > length
      ? `has more than ${length} characters, and the database would drop the blanks at its end`
      : undefined;
}

/** PostgreSQL shows a byte that is not ASCII so. */
function isOctalByte(text: string, bytes: number): boolean {
  return bytes === 1 && /^\\[2-3][0-7]{2}$/.test(text);
}

// Numbers.

function changeOfDecimal(scale: number): FindChange {
  return (text) => (decimalsOf(text) > scale ? `has more than ${scale} decimals` : undefined);
}

/** Decimal places that carry something. */
export function decimalsOf(digits: string): number {
  const [mantissa = '', exponent = '0'] = digits.toLowerCase().split('e');
  const fraction = (mantissa.split('.')[1] ?? '').length;
  const significant = mantissa.replace('.', '');
  const last = significant.search(/[1-9]0*$/);
  // Zero has none at any scale; a scale may be negative.
  if (last === -1) return -Infinity;
  return fraction - (significant.length - 1 - last) - Number(exponent);
}

type FloatType = Extract<ColumnType, { readonly kind: 'float' }>;

/** The nearest number of its size is what a float keeps; fewer decimals than that are a change. */
function changeOfFloat(type: FloatType): FindChange | undefined {
  const { decimals } = storageOf(type);
  if (decimals === undefined) return undefined;
  const stored = type.bits === 32 ? Math.fround : Number;
  return (text) => {
    const value = Number(text);
    const isKept =
      !Number.isFinite(value) || stored(value) === stored(Number(value.toFixed(decimals)));
    return isKept ? undefined : `has more than ${decimals} decimals`;
  };
}

function changeOfYear(text: string): string | undefined {
  const value = Number(text);
  const isShort = value > 0 && value < 100;
  return isShort ? 'means another year there; write all four digits' : undefined;
}
