/**
 * Functions that dump tools write around literals. Each computes what every database that has the
 * function computes. Arguments for which databases differ are rejected.
 */
import { bytesOf, decodeText, encodeText, hexBytes } from './literals.ts';
import { truncateTime } from './shifted-time.ts';
import type { ValueFunctionName } from '../../../sql/data-script.ts';
import type { SqlValue } from './literals.ts';

type Arguments = readonly SqlValue[];

/** Undefined for arguments that are not supported. */
type ValueFunction = (args: Arguments) => SqlValue | undefined;

type TimePart = 'timestamp' | 'date' | 'time';

export const valueFunctions: Readonly<Record<ValueFunctionName, ValueFunction>> = {
  timestamp: currentTime('timestamp'),
  date: currentTime('date'),
  time: currentTime('time'),
  'truncated-time': truncateTime,
  'datetime-text': timeText('timestamp', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
  'date-text': timeText('date', /^\d{4}-\d\d-\d\d$/),
  'time-text': timeText('time', /^\d\d:\d\d:\d\d$/),
  concat: (args) => (args.length === 0 ? undefined : joinTexts(args)),
  'concat-without-nulls': (args) =>
    args.length < 2 ? undefined : joinTexts(args.filter(({ kind }) => kind !== 'null')),
  replace,
  characters: (args) => characters(args, 0x10_ffff),
  'ascii-characters': (args) => characters(args, 0x7f),
  'utf16-characters': (args) => (args.length === 1 ? characters(args, 0xffff, true) : undefined),
  unistr,
  unhex: unary(fromHex),
  hex: ([value, ...otherArguments]) => (otherArguments.length === 0 ? toHex(value) : undefined),
  decode,
  base64: unary(fromBase64),
  zeroblob: ([size, ...otherArguments]) =>
    otherArguments.length === 0 && size?.kind === 'number' && /^\d{1,8}$/.test(size.digits)
      ? { kind: 'bytes', bytes: Buffer.alloc(Number(size.digits)) }
      : undefined,
  json: unary(minifyJson),
  geometry,
  vector: unary((value) => (value.kind === 'text' ? value : undefined)),
};

function unary(compute: (value: SqlValue) => SqlValue | undefined): ValueFunction {
  return ([value, ...otherArguments]) => {
    if (value === undefined || otherArguments.length > 0) return undefined;
    return value.kind === 'null' ? value : compute(value);
  };
}

// Time

/** The argument can be the number of fractional digits: `NOW(6)`. */
function currentTime(part: TimePart): ValueFunction {
  return ([digits, ...otherArguments]) => {
    const isPrecision = digits === undefined || (digits.kind === 'number' && /^[0-6]$/.test(digits.digits)); // prettier-ignore
    return isPrecision && otherArguments.length === 0 ? { kind: 'now', part } : undefined;
  };
}

/** `datetime('now')`, or a string that the function returns unchanged. Modifiers are not supported. */
function timeText(part: TimePart, pattern: RegExp): ValueFunction {
  return ([timeValue, ...modifiers]) => {
    if (modifiers.length > 0) return undefined;
    if (timeValue === undefined) return { kind: 'now', part };
    if (timeValue.kind === 'null') return timeValue;
    if (timeValue.kind !== 'text') return undefined;
    if (timeValue.raw.toLowerCase() === 'now') return { kind: 'now', part };
    return pattern.test(timeValue.raw) && isRealTime(timeValue.raw) ? timeValue : undefined;
  };
}

/** Whether a date and time exist. SQLite converts others, such as February 30. */
export function isRealTime(text: string): boolean {
  const [, date, time] = /^(\d{4}-\d\d-\d\d)?[ T]?(\d\d:\d\d:\d\d)?(?:\.\d+)?$/.exec(text) ?? [];
  const instant = new Date(`${date ?? '2000-01-01'}T${time ?? '00:00:00'}Z`);
  if (Number.isNaN(instant.getTime())) return false;
  const [realDate, realTime = ''] = instant.toISOString().split('T');
  return (
    (date === undefined || realDate === date) && (time === undefined || realTime.startsWith(time))
  );
}

// Texts

/** Concatenates strings; NULL if one of them is NULL. */
export function joinTexts(args: Arguments): SqlValue | undefined {
  if (args.some(({ kind }) => kind === 'null')) return { kind: 'null' };
  if (args.some(({ kind }) => kind === 'wide')) {
    const texts = args.map(wideText);
    return texts.includes(undefined) ? undefined : { kind: 'wide', text: texts.join('') };
  }
  const parts = args.map(rawText);
  return parts.includes(undefined) ? undefined : { kind: 'text', raw: parts.join('') };
}

/** Every database converts an integer to its digits; other numbers differ. */
const plainInteger = /^(?:0|-?[1-9]\d{0,17})$/;

function rawText(value: SqlValue): string | undefined {
  if (value.kind === 'text') return value.raw;
  if (value.kind === 'wide' && value.text.isWellFormed()) return encodeText(value.text);
  return value.kind === 'number' && plainInteger.test(value.digits) ? value.digits : undefined;
}

function wideText(value: SqlValue): string | undefined {
  if (value.kind === 'wide') return value.text;
  const raw = rawText(value);
  return raw === undefined ? undefined : decodeText(raw).text;
}

/** `replace('a\nb','\n',char(10))`, as SQLite's shell writes line breaks. */
function replace(args: Arguments): SqlValue | undefined {
  if (args.length !== 3) return undefined;
  const [text, from, to] = args.map(rawText);
  // Databases differ for an empty search string.
  if (from === '' || from?.startsWith('\0')) return undefined;
  if (args.some(({ kind }) => kind === 'null')) return { kind: 'null' };
  if (text === undefined || from === undefined || to === undefined) return undefined;
  return { kind: 'text', raw: text.replaceAll(from, () => to) };
}

function characters(args: Arguments, highest: number, halves = false): SqlValue | undefined {
  const points = args.map((arg) =>
    arg.kind === 'number' && plainInteger.test(arg.digits) ? Number(arg.digits) : NaN,
  );
  const isSupported = (point: number): boolean =>
    point >= 0 && point <= highest && (halves || point < 0xd800 || point > 0xdfff);
  if (points.length === 0 || !points.every(isSupported)) return undefined;
  return { kind: 'wide', text: points.map((point) => String.fromCodePoint(point)).join('') };
}

const unistrEscapes =
  /\\(?:u([\da-fA-F]{4})|U([\da-fA-F]{8})|\+([\da-fA-F]{6})|([\da-fA-F]{4})|\\)|\\/g;

/** Invalid escapes are errors in databases, which also differ for halves of surrogate pairs. */
function unistr([value, ...otherArguments]: Arguments): SqlValue | undefined {
  if (value?.kind === 'null') return value;
  const escaped = value?.kind === 'text' ? decodeText(value.raw).text : undefined;
  if (escaped === undefined || otherArguments.length > 0) return undefined;
  let isSupported = true;
  const text = escaped.replaceAll(unistrEscapes, (escape, ...groups: (string | undefined)[]) => {
    const digits = groups.slice(0, 4).find((group) => group !== undefined);
    const point = digits === undefined ? 0x5c : Number.parseInt(digits, 16);
    isSupported &&= escape !== '\\' && point > 0 && point <= 0x10_ffff && !isSurrogate(point);
    return isSupported ? String.fromCodePoint(point) : '';
  });
  return isSupported ? { kind: 'wide', text } : undefined;
}

function isSurrogate(point: number): boolean {
  return point >= 0xd800 && point <= 0xdfff;
}

// Bytes

function fromHex(text: SqlValue): SqlValue | undefined {
  if (text.kind !== 'text' || !/^(?:[\da-f]{2})*$/i.test(text.raw)) return undefined;
  return { kind: 'bytes', bytes: hexBytes(text.raw) };
}

/** Databases differ for NULL. */
function toHex(value: SqlValue | undefined): SqlValue | undefined {
  if (value?.kind !== 'text' && value?.kind !== 'bytes') return undefined;
  const bytes = value.kind === 'text' ? bytesOf(value.raw) : value.bytes;
  return { kind: 'text', raw: bytes.toString('hex').toUpperCase() };
}

function fromBase64(text: SqlValue): SqlValue | undefined {
  if (text.kind !== 'text') return undefined;
  const digits = text.raw.replaceAll(/[ \t\r\n]/g, '');
  const bytes = Buffer.from(digits, 'base64');
  return bytes.toString('base64') === digits ? { kind: 'bytes', bytes } : undefined;
}

/** `decode('…', 'hex' | 'base64')`. */
function decode([text, encoding, ...otherArguments]: Arguments): SqlValue | undefined {
  if (text === undefined || encoding?.kind !== 'text' || otherArguments.length > 0)
    return undefined;
  if (text.kind === 'null') return text;
  if (encoding.raw === 'hex') return fromHex(text);
  return encoding.raw === 'base64' ? fromBase64(text) : undefined;
}

/** SQLite's json() removes white space. */
function minifyJson(value: SqlValue): SqlValue | undefined {
  if (value.kind !== 'text') return undefined;
  try {
    JSON.parse(decodeText(value.raw).text);
  } catch {
    return undefined;
  }
  const raw = value.raw.replaceAll(/("(?:[^"\\]|\\[^])*")|[ \t\r\n]+/g, '$1');
  return { kind: 'text', raw };
}

/** Whether the column has this reference system is checked when the column is known. */
function geometry([text, system, option, ...otherArguments]: Arguments): SqlValue | undefined {
  if (text?.kind === 'null') return text;
  if (text?.kind !== 'text' || otherArguments.length > 0) return undefined;
  if (system === undefined) return { kind: 'geometry', raw: text.raw, system: 0 };
  if (system.kind !== 'number' || !/^\d{1,9}$/.test(system.digits)) return undefined;
  const value = { kind: 'geometry', raw: text.raw, system: Number(system.digits) } as const;
  if (option === undefined) return value;
  const axisOrder = option.kind === 'text' ? axisOption.exec(option.raw)?.[1] : undefined;
  return axisOrder === undefined ? undefined : { ...value, axisOrder: axisOrder.toLowerCase() };
}

/** https://dev.mysql.com/doc/refman/8.4/en/gis-wkt-functions.html */
const axisOption = /^\s*axis-order\s*=\s*(srid-defined|long-lat|lat-long)\s*$/i;
