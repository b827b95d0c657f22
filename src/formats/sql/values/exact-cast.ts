/**
 * Evaluates casts of literals that the type holds exactly, without rounding, truncation or a setting of
 * the session. The result is the text that the studio reads from a column of that type.
 */
import { withDashes } from '../../../sql/expression/time-literal.ts';
import { isRealTime } from './value-functions.ts';
import { textValue } from './literals.ts';
import type { ExactCast } from '../../../sql/data-script.ts';
import type { CastType, SqlValue } from './literals.ts';

/** Undefined if the literal is not exactly a value of the type. */
export function exactCast(
  cast: ExactCast,
  { sizes, isArray }: CastType,
  value: SqlValue,
): SqlValue | undefined {
  const text = isArray ? undefined : literalText(value);
  if (text === undefined || !sizes.every((size) => /^\d{1,4}$/.test(size))) return undefined;
  const numbers = sizes.map(Number);
  switch (cast.kind) {
    case 'date':
    case 'time':
    case 'timestamp':
      return value.kind === 'text' ? exactTime(cast, text, numbers) : undefined;
    case 'decimal':
      return exactDecimal(cast, text, numbers);
    case 'float':
      return numbers.length === 0 ? exactFloat(cast.bits, text) : undefined;
    case 'bit':
      return numbers.length === 0 && /^[01]$/.test(text)
        ? { kind: 'number', digits: text }
        : undefined;
    case 'uuid':
      return uuidPattern.test(text) ? textValue(letterCases[cast.letters](text)) : undefined;
  }
}

function literalText(value: SqlValue): string | undefined {
  if (value.kind === 'text') return value.raw;
  return value.kind === 'number' ? value.digits : undefined;
}

const uuidPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

const letterCases = {
  lower: (text: string): string => text.toLowerCase(),
  upper: (text: string): string => text.toUpperCase(),
} as const;

// Dates and times

type TimeCast = Extract<ExactCast, { readonly kind: 'date' | 'time' | 'timestamp' }>;

const timePattern =
  /^(?:(\d{4}-\d\d-\d\d)(?:[T ](?=\d)|$))?(\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?(?: ?(Z|[+-]\d\d(?::?\d\d)?))?$/;

const compactDate = /^\d{8}$/;
const compactTime = /^\d{8}(?: |$)/;

function exactTime(
  cast: TimeCast,
  text: string,
  [size, ...otherSizes]: readonly number[],
): SqlValue | undefined {
  const dashed = (cast.takesCompactDates === true ? compactTime : compactDate).test(text)
    ? withDashes(text)
    : text;
  const [, date, timeOfDay, offset] = timePattern.exec(dashed) ?? [];
  const [clock, fraction = ''] = timeOfDay?.split('.') ?? [];
  const digits = fraction.replace(/0+$/, '');
  const fits =
    otherSizes.length === 0 &&
    (size === undefined || (cast.maxDigits !== undefined && size <= cast.maxDigits)) &&
    digits.length <= (size ?? cast.digits ?? 0) &&
    (cast.pattern?.test(text) ?? true);
  if (!fits || date?.startsWith('0000') === true) return undefined;
  const time = clock === undefined ? '00:00:00' : clock.length === 5 ? `${clock}:00` : clock;
  const zone = zoneOf(cast, offset);
  if (zone === undefined || !isRealTime(date === undefined ? time : `${date}T${time}`))
    return undefined;
  const isMidnight = time === '00:00:00' && digits === '';
  const point = digits === '' ? '' : `.${digits}`;
  if (cast.kind === 'date') return date !== undefined && isMidnight ? textValue(date) : undefined;
  if (cast.kind === 'time')
    return date === undefined && clock !== undefined
      ? textValue(`${time}${point}${zone}`)
      : undefined;
  return date === undefined ? undefined : textValue(`${date}T${time}${point}${zone}`);
}

/** The offset from UTC, as the studio reads it; undefined if the type has none or needs one. */
function zoneOf({ zone }: TimeCast, offset: string | undefined): string | undefined {
  if (zone === undefined) return offset === undefined ? '' : undefined;
  if (offset === undefined) return zone === 'utc' ? 'Z' : undefined;
  const [hours = '', minutes = '00'] = offset.slice(1).match(/\d\d/g) ?? [];
  if (offset === 'Z' || (Number(hours) === 0 && Number(minutes) === 0)) return 'Z';
  const isReal = Number(hours) * 60 + Number(minutes) <= 14 * 60 && Number(minutes) < 60;
  return isReal ? `${offset.charAt(0)}${hours}:${minutes}` : undefined;
}

// Numbers

type DecimalCast = Extract<ExactCast, { readonly kind: 'decimal' }>;

const plainDecimal = /^(-?)0*(\d+?)(?:\.(\d*))?$/;

function exactDecimal(
  cast: DecimalCast,
  text: string,
  [precision = cast.precision, size, ...otherSizes]: readonly number[],
): SqlValue | undefined {
  const [all, sign = '', integerDigits = '', decimals = ''] = plainDecimal.exec(text) ?? [];
  const isSized = precision !== cast.precision || size !== undefined;
  if (all === undefined || otherSizes.length > 0 || (isSized && !cast.takesSizes)) return undefined;
  const scale = size ?? (isSized ? 0 : cast.scale);
  const significant = decimals.replace(/0+$/, '');
  // PostgreSQL's numeric without sizes keeps all digits, also trailing zeros.
  let fraction = decimals;
  if (precision !== undefined && scale !== undefined) {
    if (significant.length > scale || integerDigits.replace(/^0$/, '').length > precision - scale)
      return undefined;
    fraction = significant.padEnd(scale, '0');
  }
  const digits = fraction === '' ? integerDigits : `${integerDigits}.${fraction}`;
  const isZero = integerDigits === '0' && significant === '';
  return { kind: 'number', digits: isZero ? digits : sign + digits };
}

/** A double has the digits of any number with up to 15 of them. */
function exactFloat(bits: 32 | 64, text: string): SqlValue | undefined {
  if (!/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)) return undefined;
  const number = Number(text);
  const digits = /^[^e]*/i
    .exec(text)![0]
    .replace(/\D/g, '')
    .replace(/^0+|0+$/g, '');
  const isExact = bits === 32 ? Math.fround(number) === number : digits.length <= 15;
  return isExact && Number.isFinite(number) && !Object.is(number, -0) && (number !== 0 || digits === '') // prettier-ignore
    ? { kind: 'number', digits: text }
    : undefined;
}
