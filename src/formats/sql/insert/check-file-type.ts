/**
 * Checks values of a dump of another database by their types in the file. The column that is created for them
 * may hold what that type rejects, rounds or cuts: SQLite stores any value in any column, and a type of
 * SQL Server such as smalldatetime has no equal elsewhere.
 */
import { isJson } from '../../../model/values/json-text.ts';
import { readJsonValue } from '../../../model/values/read-json-value.ts';
import { changeFinder } from '../../../model/values/stored-value.ts';
import { valueError } from './value-error.ts';
import type { Column, ColumnKind, ColumnType } from '../../../model/schema.ts';
import type { Value } from '../../../model/values.ts';
import type { DataScriptRules } from '../../../sql/data-script.ts';

type FileRules = Pick<
  DataScriptRules,
  'anyNumberIsTrue' | 'bitStringsAreBytes' | 'booleanWords' | 'exactCasts' | 'textLengths'
>;

/** The text that the database of the file stores. Throws `invalid_value` if it would reject or change the text. */
type CheckText = (text: string) => string;

const unchanged: CheckText = (text) => text;

/** For the texts and digits of a column, after dates and times have been converted to ISO 8601. */
export function fileTypeCheck(column: Column, rules: FileRules): CheckText {
  const { fileType } = column;
  if (fileType === undefined) return unchanged;
  return checks[fileType.kind]?.(column, rules, fileType) ?? changeCheck(column, fileType);
}

type MakeCheck = (column: Column, rules: FileRules, type: ColumnType) => CheckText;

const checks: Partial<Record<ColumnKind, MakeCheck>> = {
  integer: (column, _rules, type) => numberCheck(column, type),
  decimal: (column, _rules, type) => numberCheck(column, type),
  float: (column, _rules, type) => numberCheck(column, type),
  boolean: booleanCheck,
  // A number may be stored as text, so its length is that of the value (`fileValueCheck`).
  text: () => unchanged,
  bits: bitsCheck,
  set: setCheck,
  uuid: uuidCheck,
  json: (column) => (text) => (isJson(text) ? text : reject(column, text, 'is not valid JSON')),
};

function reject(column: Column, text: string, reason: string): never {
  const excerpt = JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
  throw valueError(column, `${excerpt} ${reason}.`);
}

function changeCheck(column: Column, type: ColumnType): CheckText {
  const changeOf = changeFinder(type);
  if (changeOf === undefined) return unchanged;
  return (text) => {
    const change = changeOf(text);
    return change === undefined ? text : reject(column, text, change);
  };
}

// Numbers.

/** Nine digits are in the range of 32 bits, and of a decimal without a precision. */
const shortInteger = /^-?\d{1,9}$/;

function numberCheck(column: Column, type: ColumnType): CheckText {
  const typed: Column = { ...column, type, dynamic: false, fileType: type };
  const isWide = type.kind !== 'integer' || type.bits >= 32;
  const isSigned = type.kind !== 'integer' || type.unsigned !== true;
  const hasPrecision = type.kind === 'decimal' && type.precision !== undefined;
  const hasShort = isWide && isSigned && !hasPrecision;
  return (text) => {
    if (hasShort && shortInteger.test(text)) return text;
    const digits = text.trim();
    const node = { kind: 'string', start: 0, end: 0, value: digits } as const;
    readJsonValue({ node, text: '' }, typed);
    if (type.kind === 'decimal') checkPrecision(typed, digits, type);
    return digits;
  };
}

function checkPrecision(
  column: Column,
  digits: string,
  { precision, scale = 0 }: Extract<ColumnType, { readonly kind: 'decimal' }>,
): void {
  if (precision === undefined) return;
  const largest = precision - scale;
  if (integerDigits(digits) > largest)
    reject(column, digits, `has more than ${largest} digits before the decimal point`);
}

/** The number of significant digits before the decimal point; negative for zeros after it. */
function integerDigits(digits: string): number {
  const [mantissa = '', exponent = '0'] = digits.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace(/^[+-]/, '').split('.');
  const first = `${whole}${fraction}`.search(/[1-9]/);
  return first === -1 ? -Infinity : whole.length - first + Number(exponent);
}

/** MySQL has TINYINT for it, PostgreSQL only two values. */
function booleanCheck(column: Column, { anyNumberIsTrue, booleanWords }: FileRules): CheckText {
  if (anyNumberIsTrue === true) return unchanged;
  const hasWords = booleanWords !== undefined && Object.hasOwn(booleanWords, 'true');
  const [first, last] = hasWords ? [0, 1] : [-128, 127];
  return (text) => {
    const number = /^\s*[+-]?[\d.]/.test(text) ? Number(text) : undefined;
    const isExact = number === undefined || (Number.isInteger(number) && number >= first && number <= last); // prettier-ignore
    return isExact ? text : reject(column, text, `is not an integer from ${first} to ${last}`);
  };
}

// Texts.

function textCheck(column: Column, { textLengths }: FileRules, type: ColumnType): CheckText {
  const { length, fixed = false } = type as Extract<ColumnType, { readonly kind: 'text' }>;
  if (length === undefined) return changeCheck(column, type);
  return (whole) => {
    const text = fixed ? withoutPadding(whole) : whole;
    if (text.length <= length) return text;
    const characters = textLengths === 'utf16' ? text.length : [...text].length;
    if (characters <= length) return text;
    return reject(column, text, `has more than ${length} ${length === 1 ? 'character' : 'characters'}`); // prettier-ignore
  };
}

/** CHAR is padded with blanks to its length, so that those at the end mean nothing. */
function withoutPadding(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ') end -= 1;
  return text.slice(0, end);
}

function bitsCheck(column: Column, { bitStringsAreBytes }: FileRules, type: ColumnType): CheckText {
  if (bitStringsAreBytes) return unchanged;
  const { length, varying } = type as Extract<ColumnType, { readonly kind: 'bits' }>;
  return (text) => {
    if (!/^[01]*$/.test(text)) return reject(column, text, 'is not a string of 0 and 1');
    const fits = length === undefined || text.length === length || (varying === true && text.length < length); // prettier-ignore
    return fits ? text : reject(column, text, `does not have ${length} bits`);
  };
}

/** MySQL sorts the labels, and removes repeated ones. */
function setCheck(column: Column, _rules: FileRules, type: ColumnType): CheckText {
  const { values } = type as Extract<ColumnType, { readonly kind: 'set' }>;
  const positions = new Map(values.map((value, position) => [value, position]));
  return (text) => {
    const labels = text === '' ? [] : text.split(',');
    const unknown = labels.find((label) => !positions.has(label));
    if (unknown !== undefined) return reject(column, unknown, 'is not a label of the set');
    return values.filter((value) => labels.includes(value)).join(',');
  };
}

const uuidForm = /^(?:[\da-f]{8}(?:-?[\da-f]{4}){3}-?[\da-f]{12})$/i;

/** As PostgreSQL and MariaDB write it. */
const plainUuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Each database writes UUIDs in one form. PostgreSQL and MariaDB also read others. */
function uuidCheck(column: Column, { exactCasts }: FileRules): CheckText {
  const isUpper = Object.values(exactCasts).some(
    (cast) => cast.kind === 'uuid' && cast.letters === 'upper',
  );
  return (text) => {
    if (!isUpper && plainUuid.test(text)) return text;
    const plain = text.replace(/^\{(.*)\}$/, '$1');
    if (!uuidForm.test(plain)) return reject(column, text, 'is not a UUID');
    const hex = plain.replaceAll('-', '');
    const uuid = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    return isUpper ? uuid.toUpperCase() : uuid.toLowerCase();
  };
}

/** For values that have been read: texts and bytes, by their length. */
export function fileValueCheck(column: Column, rules: FileRules): (value: Value) => Value {
  const { fileType: type } = column;
  if (type?.kind === 'text') {
    const check = textCheck(column, rules, type);
    return (value) => (typeof value === 'string' ? check(value) : value);
  }
  if (type?.kind !== 'binary' || type.length === undefined) return (value) => value;
  const { length, fixed = false } = type;
  return (value) => {
    if (!(value instanceof Uint8Array)) return value;
    if (value.length > length)
      throw valueError(column, `the value has more than ${length} ${length === 1 ? 'byte' : 'bytes'}.`); // prettier-ignore
    const isPadded = fixed && value.length < length;
    return isPadded ? Buffer.concat([value, Buffer.alloc(length - value.length)]) : value;
  };
}
