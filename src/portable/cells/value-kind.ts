/** What a text of a file can be read as without losing a character of it. */
import { isJson } from '../../model/values/json-text.ts';
import { offsetPattern } from './iso-offset.ts';

export type ValueKind =
  | 'boolean'
  | 'integer'
  | 'decimal'
  | 'float'
  | 'date'
  | 'timestamp'
  | 'zoned timestamp'
  | 'time'
  | 'uuid'
  | 'json'
  | 'binary'
  | 'text';

export const numberRank: Partial<Record<ValueKind, number>> = { integer: 0, decimal: 1, float: 2 };

export function isNumberKind(kind: ValueKind | undefined): boolean {
  return kind !== undefined && numberRank[kind] !== undefined;
}

// `+` and leading zeros would be lost.
const integerPattern = /^-?(?:0|[1-9]\d*)$/;
const decimalPattern = /^-?(?:0|[1-9]\d*)?\.\d+$/;
const floatPattern = /^-?(?:0|[1-9]\d*)?(?:\.\d+)?[eE][+-]?\d+$/;
const negativeZero = /^-[0.]*0[0.]*(?:[eE]|$)/;

/** Whether a number is a zero with a sign, which decimals and integers lose. */
export function isNegativeZero(digits: string): boolean {
  return digits.charCodeAt(0) === MINUS && negativeZero.test(digits);
}

/** The kind of number that a text is, if it is one. */
function numberKind(text: string): 'integer' | 'decimal' | 'float' | 'text' {
  if (integerPattern.test(text)) return 'integer';
  if (decimalPattern.test(text)) return 'decimal';
  return floatPattern.test(text) ? 'float' : 'text';
}

const datePattern = /^(\d{4})-(\d\d)-(\d\d)(?:$|[T ])/;
const clockPattern = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?$/;
const uuidPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The kind of date or time that a text in the form of ISO 8601 is, if it is one. Its offset may have another form. */
function dateKind(text: string): 'date' | 'timestamp' | 'zoned timestamp' | 'text' {
  const [start, year, month, day] = datePattern.exec(text) ?? [];
  if (start === undefined || !isDay(Number(year), Number(month), Number(day))) return 'text';
  if (start.length === text.length) return text.length === 10 ? 'date' : 'text';
  const time = text.slice(start.length);
  if (clockPattern.test(time)) return 'timestamp';
  const zone = offsetPattern.exec(time);
  return zone !== null && clockPattern.test(time.slice(0, zone.index)) ? 'zoned timestamp' : 'text';
}

/** No database has the year 0 in each of its modes. */
export function isDay(year: number, month: number, day: number): boolean {
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  // `Date.UTC` takes years before 100 for those of the 20th century. The calendar repeats after 400 years.
  return day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}

const maxJsonDepth = 32;
/** Escapes of characters that databases reject in JSON: NUL and halves of surrogate pairs. */
const hostileEscape = /\\u(?:0000|[dD][89a-fA-F])/;

function isStorableJson(text: string): boolean {
  return isJson(text) && !hostileEscape.test(text) && depthOf(text) <= maxJsonDepth;
}

/** Counts brackets within texts too, so the result may be too high. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

const codePattern = /^\d+E\d+$/;

/** Whether a text is a code such as `1E5`: programs write the exponent of a number with a sign, or in lower case. */
export function isCode(text: string): boolean {
  return codePattern.test(text);
}

/** The kind of a text from a cell. */
export function textKind(text: string): ValueKind {
  const first = text.charCodeAt(0);
  if (isDigit(first)) {
    const number = numberKind(text);
    return number === 'text' ? dateTimeKind(text) : number;
  }
  if (first === MINUS || first === POINT) return numberKind(text);
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return isStorableJson(text) ? 'json' : 'text';
  if (text.length <= 5 && /^(?:true|false)$/i.test(text)) return 'boolean';
  return text.length === 36 && uuidPattern.test(text) ? 'uuid' : 'text';
}

const MINUS = 0x2d;
const POINT = 0x2e;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function dateTimeKind(text: string): ValueKind {
  if (text.length === 36 && uuidPattern.test(text)) return 'uuid';
  if (text.charCodeAt(2) === 0x3a) return clockPattern.test(text) ? 'time' : 'text';
  return dateKind(text);
}

/** The kind of a value in a JSON file, from its JSON text, and the text of the value itself. */
export function jsonTokenKind(token: string): { readonly kind: ValueKind; readonly text: string } {
  const first = token.charCodeAt(0);
  if (first === 0x22) {
    const text = JSON.parse(token) as string;
    const kind = textKind(text);
    return { kind: stringKinds.has(kind) ? kind : 'text', text };
  }
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return nestedKind(token);
  if (token === 'true' || token === 'false') return { kind: 'boolean', text: token };
  return { kind: numberKind(token), text: token };
}

/** JSON has numbers, true and false, so a string that looks like one is a text. */
const stringKinds: ReadonlySet<ValueKind> = new Set([
  'date',
  'timestamp',
  'zoned timestamp',
  'time',
  'uuid',
]);

const markedValue = /^\{\s*"\$(base64|json|int)"\s*:/;

function nestedKind(token: string): { readonly kind: ValueKind; readonly text: string } {
  const marker = markedValue.exec(token)?.[1];
  if (marker === 'base64') return { kind: 'binary', text: token };
  if (marker === 'int')
    return { kind: 'integer', text: (JSON.parse(token) as { readonly $int: string }).$int };
  return { kind: marker === 'json' || isStorableJson(token) ? 'json' : 'text', text: token };
}
