import { readBoolean } from './boolean-text.ts';
import { isJson } from './json-text.ts';
import { StudioError } from '../errors.ts';
import { readJsonValue } from './read-json-value.ts';
import { changeFinder } from './stored-value.ts';
import { isShortDigits, alwaysFittingDigits } from './short-digits.ts';
import type { Column, ColumnKind } from '../schema.ts';
import type { Value } from '../values.ts';

/** Converts a text to a value of a column. Fails with `invalid_value`. */
type ReadText = (text: string) => Value;

/**
 * Returns a function that reads the text cells of a column (CSV, spreadsheets, COPY): by the rules
 * of JSON strings, with binary as `\x` and hex, JSON and arrays as their text, and words for true
 * and false. It is created once and called for every row.
 */
export function textReader(column: Column): ReadText {
  const read = column.dynamic === true ? dynamicReaders : typedReaders;
  return read[column.type.kind]?.(column) ?? ((text) => readString(text, column));
}

type MakeReader = (column: Column) => ReadText;

const unchanged: MakeReader = (column) =>
  column.convertsDigits === true ? (text) => readString(text, column) : (text) => text;

/** Rejects text that the database would round or truncate. */
const checkedText: MakeReader = (column) => {
  const changeOf = changeFinder(column.type);
  if (changeOf === undefined) return (text) => text;
  return (text) => (changeOf(text) === undefined ? text : readString(text, column));
};

/** Kinds whose values are sent to the database as text. */
const textReaders: Partial<Record<ColumnKind, MakeReader>> = {
  text: unchanged,
  uuid: unchanged,
  date: unchanged,
  time: unchanged,
  timestamp: unchanged,
};

const checkedTextReaders: Partial<Record<ColumnKind, MakeReader>> = {
  text: checkedText,
  uuid: checkedText,
  date: checkedText,
  time: checkedText,
  timestamp: checkedText,
};

const typedReaders: Partial<Record<ColumnKind, MakeReader>> = {
  ...checkedTextReaders,
  boolean: (column) => (text) => readBoolean(text) ?? readOtherNumber(text.trim(), column),
  integer: integerReader,
  decimal: decimalReader,
  float: floatReader,
  json: (column) => (text) => readJson(text, column),
  array: arrayReader,
  binary: (column) => (text) => readBytes(text) ?? rejectBytes(text, column),
};

/** SQLite stores text in any column, so only a text that the column would convert is parsed. */
const dynamicReaders: Partial<Record<ColumnKind, MakeReader>> = {
  ...textReaders,
  boolean: (column) => (text) => dynamicBoolean(text) ?? readString(text, column),
  integer: integerReader,
  decimal: dynamicDecimalReader,
  float: floatReader,
  json: unchanged,
  binary: () => (text) => readBytes(text) ?? text,
  untyped: () => (text) => readBytes(text) ?? text,
};

function readString(text: string, column: Column): Value {
  return readJsonValue(
    { node: { kind: 'string', start: 0, end: 0, value: text }, text: '' },
    column,
  );
}

/** Some boolean columns can hold other numbers too. */
function readOtherNumber(text: string, column: Column): Value {
  if (!/^[+-]?\d+$/.test(text)) return readString(text, column);
  const node = { kind: 'number', start: 0, end: text.length, digits: text } as const;
  return readJsonValue({ node, text }, column);
}

/** Databases ignore spaces around a number. */
function readNumber(text: string, column: Column): Value {
  return readString(text.trim(), column);
}

/** Few digits always fit and need no bigint. Most integers are like that. */
function integerReader(column: Column): ReadText {
  const longest = alwaysFittingDigits(column);
  const readOther = column.dynamic === true ? readString : readNumber;
  return (text) => (isShortDigits(text, longest) ? Number(text) : readOther(text, column));
}

/** Without an exponent, and well within the range of a double. */
const plainNumber = /^-?\d{1,30}(?:\.\d{1,30})?$/;

function floatReader(column: Column): ReadText {
  const readOther = column.dynamic === true ? readString : readNumber;
  const isPlain = changeFinder(column.type) === undefined;
  return (text) => (isPlain && plainNumber.test(text) ? Number(text) : readOther(text, column));
}

/** The digits stay unchanged if there are no more decimals than the column has. */
function decimalReader(column: Column): ReadText {
  const { type } = column;
  const scale = type.kind === 'decimal' && type.scale !== undefined ? type.scale : Infinity;
  return (text) => {
    const point = text.indexOf('.');
    // A negative scale rounds digits before the decimal point.
    const fits = point === -1 ? scale >= 0 : text.length - point - 1 <= scale;
    return fits && plainNumber.test(text) ? text : readNumber(text, column);
  };
}

/** A double represents this many digits exactly. */
const shortDecimal = /^-?(?:0|[1-9]\d{0,6})\.\d{1,6}$/;

function dynamicDecimalReader(column: Column): ReadText {
  return (text) => (shortDecimal.test(text) ? Number(text) : readString(text, column));
}

function dynamicBoolean(text: string): Value | undefined {
  const truth = readBoolean(text);
  return truth === undefined ? undefined : truth ? 1n : 0n;
}

const hexPattern = /^\\x(?:[\da-f]{2})*$/i;

function readBytes(text: string): Uint8Array | undefined {
  return text.startsWith('\\x') && hexPattern.test(text)
    ? Buffer.from(text.slice(2), 'hex')
    : undefined;
}

function rejectBytes(text: string, column: Column): never {
  throw invalidValue(column, `${excerpt(text)} is not binary; write \\x and hex digits.`);
}

function readJson(text: string, column: Column): Value {
  if (!isJson(text)) throw invalidValue(column, `${excerpt(text)} is not valid JSON.`);
  return text;
}

/** `[2:3]={…}` is an array with explicit bounds, in PostgreSQL's syntax. */
function arrayReader(column: Column): ReadText {
  const read: ReadText = (text) => (text.startsWith('[') ? readArray(text, column) : text);
  return (text) => {
    const value = read(text);
    readString(text, column);
    return value;
  };
}

function readArray(text: string, column: Column): Value {
  if (/^\[[+-]?\d+:/.test(text) || isJson(text)) return text;
  throw invalidValue(column, `${excerpt(text)} is not a JSON array.`);
}

function excerpt(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

function invalidValue(column: Column, reason: string): StudioError {
  return new StudioError(
    'invalid_value',
    `Column "${column.name}" (${column.nativeType}): ${reason}`,
    { column: column.name },
  );
}
