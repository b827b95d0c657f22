/** Reads and writes times by a format: `TO_DATE('31.12.2020', 'DD.MM.YYYY')`, `DATE_FORMAT(NOW(), '%Y')`. */
import { localTimeOf } from './time-fields.ts';
import { isRealTime } from './value-functions.ts';
import type { LocalTime } from './time-fields.ts';
import type { SqlValue } from './literals.ts';

type Field = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'month name' | 'short month';

interface FormatField {
  readonly field: Field | 'day name' | 'short day';
  /** Names are filled with blanks to the longest one. */
  readonly isPadded?: boolean;
  /** Numbers are written without leading zeros. */
  readonly omitsZeros?: boolean;
  readonly letters?: 'upper' | 'lower';
}

/** Fields and the texts between them. Undefined for a format with other fields. */
type Format = readonly (FormatField | string)[] | undefined;

const monthNames = 'January February March April May June July August September October November December'.split(' '); // prettier-ignore
const dayNames = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

const wordFields: Readonly<Record<string, FormatField['field']>> = {
  YYYY: 'year',
  MM: 'month',
  DD: 'day',
  HH24: 'hour',
  MI: 'minute',
  SS: 'second',
  MONTH: 'month name',
  MON: 'short month',
  DAY: 'day name',
  DY: 'short day',
};

/** `YYYY-MM-DD HH24:MI:SS`, in PostgreSQL and Oracle */
function wordFormat(format: string): Format {
  const parts: (FormatField | string)[] = [];
  let isValid = true;
  format.replaceAll(
    /(FM)?(YYYY|MONTH|MON|MM|DAY|DY|DD|HH24|MI|SS)|[^A-Za-z"]|./gis,
    (part, fill: string | undefined, name: string | undefined) => {
      if (name === undefined) {
        isValid &&= !/[A-Za-z"]/.test(part);
        parts.push(part);
      } else parts.push(namedField(name, fill === undefined));
      return '';
    },
  );
  return isValid ? parts : undefined;
}

function namedField(name: string, isPadded: boolean): FormatField {
  const field = wordFields[name.toUpperCase()]!;
  const letters = name === name.toUpperCase() ? 'upper' : name === name.toLowerCase() ? 'lower' : undefined; // prettier-ignore
  return {
    field,
    isPadded: isPadded && /^(?:month|day) name$/.test(field),
    omitsZeros: !isPadded && !/ /.test(field),
    ...(letters && { letters }),
  };
}

const percentFields: Readonly<Record<string, readonly (FormatField['field'] | ':')[]>> = {
  Y: ['year'],
  m: ['month'],
  d: ['day'],
  H: ['hour'],
  i: ['minute'],
  s: ['second'],
  S: ['second'],
  T: ['hour', ':', 'minute', ':', 'second'],
  M: ['month name'],
  b: ['short month'],
  W: ['day name'],
  a: ['short day'],
};

/** `%Y-%m-%d %H:%i:%s` */
function percentFormat(fields: typeof percentFields): (format: string) => Format {
  return (format) => {
    const parts: (FormatField | string)[] = [];
    for (const [part, letter] of format.matchAll(/%(.)|[^%]+|%/gs)) {
      if (letter === undefined && part !== '%') parts.push(part);
      else if (letter === '%') parts.push('%');
      else {
        const found =
          letter !== undefined && Object.hasOwn(fields, letter) ? fields[letter] : undefined;
        if (found === undefined) return undefined;
        parts.push(...found.map((field) => (field === ':' ? field : { field })));
      }
    }
    return parts;
  };
}

export const timeFormats = {
  fields: wordFormat,
  percent: percentFormat(percentFields),
  strftime: percentFormat({ Y: ['year'], m: ['month'], d: ['day'], H: ['hour'], M: ['minute'], S: ['second'], T: ['hour', ':', 'minute', ':', 'second'] }), // prettier-ignore
} as const;

export type TimeFormatName = keyof typeof timeFormats;

function textOfValue(value: SqlValue | undefined): string | undefined {
  return value?.kind === 'text' && /^[\t -~]*$/.test(value.raw) ? value.raw : undefined;
}

/** The text of a time; undefined if only a database can compute it. */
export function formatTime(
  value: SqlValue | undefined,
  format: SqlValue | undefined,
  { now, name }: { readonly now: Date; readonly name: TimeFormatName },
): SqlValue | undefined {
  if (value?.kind === 'null') return value;
  const time = value && localTimeOf(value, now);
  const text = textOfValue(format);
  const parts = text === undefined ? undefined : timeFormats[name](text);
  if (time === undefined || parts === undefined) return undefined;
  return { kind: 'text', raw: parts.map((part) => formatPart(part, time)).join('') };
}

function formatPart(part: FormatField | string, { instant }: LocalTime): string {
  if (typeof part === 'string') return part;
  const { field, isPadded = false, omitsZeros = false, letters } = part;
  const digits = (number: number, length = 2): string =>
    String(number).padStart(omitsZeros ? 0 : length, '0');
  const name = (text: string): string => {
    const cased = letters === 'upper' ? text.toUpperCase() : letters === 'lower' ? text.toLowerCase() : text; // prettier-ignore
    return isPadded ? cased.padEnd('September'.length) : cased;
  };
  switch (field) {
    case 'year':
      return digits(instant.getUTCFullYear(), 4);
    case 'month':
      return digits(instant.getUTCMonth() + 1);
    case 'day':
      return digits(instant.getUTCDate());
    case 'hour':
      return digits(instant.getUTCHours());
    case 'minute':
      return digits(instant.getUTCMinutes());
    case 'second':
      return digits(instant.getUTCSeconds());
    case 'month name':
      return name(monthNames[instant.getUTCMonth()]!);
    case 'short month':
      return name(monthNames[instant.getUTCMonth()]!.slice(0, 3));
    case 'day name':
      return name(dayNames[instant.getUTCDay()]!);
    case 'short day':
      return name(dayNames[instant.getUTCDay()]!.slice(0, 3));
  }
}

/** The text in ISO 8601 of a time in a format; undefined if only a database can read it. */
export function parseTime(
  value: SqlValue | undefined,
  format: SqlValue | undefined,
  name: TimeFormatName,
): SqlValue | undefined {
  if (value?.kind === 'null') return value;
  const [text, formatText] = [textOfValue(value), textOfValue(format)];
  const parts = formatText === undefined ? undefined : timeFormats[name](formatText);
  if (text === undefined || parts === undefined) return undefined;
  // Such a number has any length.
  if (parts.some((part) => typeof part === 'object' && part.omitsZeros === true)) return undefined;
  const fields: Field[] = [];
  const pattern = parts.map((part, i) => {
    if (typeof part === 'string') return part.replaceAll(/[^\w\s]/g, String.raw`\$&`);
    fields.push(part.field as Field);
    return patternOf(part.field, typeof parts[i + 1] === 'object');
  });
  const found = new RegExp(`^\\s*${pattern.join('')}\\s*$`, 'i').exec(text);
  if (found === null || new Set(fields).size < fields.length) return undefined;
  return isoOfFields(new Map(fields.map((field, i) => [field, found[i + 1]!])));
}

/** Two digits where another field follows at once. */
function patternOf(field: FormatField['field'], isFollowed: boolean): string {
  if (field === 'year') return String.raw`(\d{4})`;
  if (field === 'month name') return `(${monthNames.join('|')})`;
  if (field === 'short month') return `(${monthNames.map((name) => name.slice(0, 3)).join('|')})`;
  // The name of a day is not a part of the time.
  if (field === 'day name' || field === 'short day') return '($^)';
  return isFollowed ? String.raw`(\d\d)` : String.raw`(\d\d?)`;
}

function isoOfFields(fields: ReadonlyMap<Field, string>): SqlValue | undefined {
  const digits = (field: Field): string | undefined => fields.get(field)?.padStart(2, '0');
  const monthName = (fields.get('month name') ?? fields.get('short month'))?.toLowerCase();
  const found = monthNames.findIndex((name) => monthName !== undefined && name.toLowerCase().startsWith(monthName)); // prettier-ignore
  const month = digits('month') ?? (found === -1 ? undefined : String(found + 1).padStart(2, '0'));
  const [year, day, hour] = [fields.get('year'), digits('day'), digits('hour')];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const date = `${year}-${month}-${day}`;
  const hasTime = ['hour', 'minute', 'second'].some((field) => fields.has(field as Field));
  if (hasTime && hour === undefined) return undefined;
  const time = `${hour}:${digits('minute') ?? '00'}:${digits('second') ?? '00'}`;
  const text = hasTime ? `${date} ${time}` : date;
  return isRealTime(text) ? { kind: 'text', raw: text } : undefined;
}
