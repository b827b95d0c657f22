import { StudioError } from '../errors.ts';
import { mayBeLabel } from '../enum-labels.ts';
import { wholeOrReal } from './json-cells.ts';
import { isShortDigits, alwaysFittingDigits } from './short-digits.ts';
import { isExactDouble } from './json-number.ts';
import { changeFinder, decimalsOf, tooFine } from './stored-value.ts';
import { parseExactJson } from './exact-json.ts';
import type { FindChange } from './stored-value.ts';
import type { JsonNode, JsonObject } from './exact-json.ts';
import type { Column, ColumnKind, ColumnType } from '../schema.ts';
import type { Value } from '../values.ts';

/** A JSON value to be written, and the text that contains it. */
export interface JsonSource {
  readonly node: JsonNode;
  readonly text: string;
}

/**
 * Converts a JSON value of a request to a value of a column, by the rules of "Values in JSON rows"
 * in the API documentation. Fails with `invalid_value` if the column cannot store the value
 * unchanged.
 */
export function readJsonValue(source: JsonSource, column: Column): Value {
  const { node } = source;
  if (node.kind === 'null') return null;
  const marked = node.kind === 'object' ? readMarked(node, source, column) : undefined;
  if (marked !== undefined) return marked;
  return column.dynamic === true ? readDynamic(source, column) : readTyped(source, column);
}

/** Returns `readJsonValue` for one column. It is created once and called for every row. */
export function jsonReader(column: Column): (source: JsonSource) => Value {
  if (column.type.kind !== 'integer') return (source) => readJsonValue(source, column);
  const longest = alwaysFittingDigits(column);
  return (source) => {
    const { node } = source;
    const isShort = node.kind === 'number' && isShortDigits(node.digits, longest);
    return isShort ? Number(node.digits) : readJsonValue(source, column);
  };
}

function invalidValue(column: Column, reason: string): StudioError {
  return new StudioError(
    'invalid_value',
    `Column "${column.name}" (${column.nativeType}): ${reason}`,
    {
      column: column.name,
    },
  );
}

/** `{"$base64"}`, `{"$int"}`, `{"$json"}`: objects with one member that starts with a dollar. */
function readMarked(node: JsonObject, { text }: JsonSource, column: Column): Value | undefined {
  const [only] = node.members;
  if (only === undefined) return undefined;
  const { name, value } = only;
  if (name === '$cut')
    throw invalidValue(column, 'this is a preview of the value; write the whole value.');
  if (node.members.length !== 1) return undefined;
  if (name === '$base64' && value.kind === 'string') return readBase64(value.value, column);
  if (name === '$int' && value.kind === 'string') {
    // A binary column would store the characters of the digits as bytes.
    if (column.type.kind === 'binary' && column.dynamic !== true)
      throw invalidValue(column, 'expected binary as {"$base64": …}, not a number.');
    return readInteger(value.value, column);
  }
  if (name !== '$json' || column.type.kind !== 'json') return undefined;
  // SQLite stores a number in a JSON column as a number, with rules of its own.
  if (column.dynamic === true && value.kind === 'number')
    return dynamicNumber(value.digits, column);
  return text.slice(value.start, value.end);
}

const base64Pattern = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

function readBase64(text: string, column: Column): Value {
  if (column.type.kind !== 'binary' && column.dynamic !== true)
    throw invalidValue(column, 'it cannot store binary.');
  if (!base64Pattern.test(text))
    throw invalidValue(column, 'the text in $base64 is not valid base64.');
  return Buffer.from(text, 'base64');
}

const integerPattern = /^[+-]?\d+$/;
const numberPattern = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const largestInt64 = 2n ** 63n - 1n;
/** Longer than any integer that a column can store. Parsing a bigint takes time quadratic in the number of digits. */
const maxIntegerLength = 100;

function readInteger(digits: string, column: Column): bigint {
  const integerText = integerPattern.test(digits) ? digits : wholeDigits(digits);
  if (integerText === undefined)
    throw invalidValue(column, `${quotedExcerpt(digits)} is not an integer.`);
  const { minimum, maximum } = integerRange(column.type);
  const value =
    integerText.length > maxIntegerLength ? undefined : BigInt(integerText.replace('+', ''));
  if (value === undefined || value < minimum || value > maximum)
    throw invalidValue(column, `${abridged(digits)} is outside ${minimum} to ${maximum}.`);
  return value;
}

const wholePattern =
  /^(?<sign>[+-]?)(?<before>\d*)(?:\.(?<after>\d*))?(?:e(?<exponent>[+-]?\d+))?$/i;

/** The digits of `1.0` and `1e3`, which are integers too. Huge exponents would fill the memory, and are not. */
function wholeDigits(digits: string): string | undefined {
  const parts = numberPattern.test(digits) ? wholePattern.exec(digits)?.groups : undefined;
  if (parts === undefined) return undefined;
  const { sign = '', before = '', after = '', exponent = '0' } = parts;
  const all = before + after;
  const length = before.length + Number(exponent);
  if (length > maxIntegerLength || /[1-9]/.test(all.slice(Math.max(0, length)))) return undefined;
  return sign + (all.slice(0, Math.max(0, length)).padEnd(length, '0') || '0');
}

function integerRange(type: ColumnType): { readonly minimum: bigint; readonly maximum: bigint } {
  if (type.kind !== 'integer') return { minimum: -largestInt64 - 1n, maximum: largestInt64 };
  const half = 1n << BigInt(type.bits - 1);
  return type.unsigned === true
    ? { minimum: 0n, maximum: 2n * half - 1n }
    : { minimum: -half, maximum: half - 1n };
}

function quotedExcerpt(text: string): string {
  return JSON.stringify(abridged(text));
}

function abridged(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

// Columns in which each value has its own storage class (SQLite).

/** Strings are text in any column. Numbers keep their storage class, and must be exact outside of float columns. */
function readDynamic({ node, text }: JsonSource, column: Column): Value {
  const { kind } = column.type;
  if (node.kind === 'string') return dynamicString(node.value, column);
  if (node.kind === 'boolean')
    return dynamicBoolean(node.value, column, { isJson: kind === 'json' });
  if (node.kind === 'number') {
    const isText = kind === 'text' || kind === 'enum' || kind === 'uuid';
    if (isText && column.convertsDigits !== true) throw invalidValue(column, 'expected a string.');
    return dynamicNumber(node.digits, column);
  }
  if (kind === 'json') return text.slice(node.start, node.end);
  throw invalidValue(column, `it cannot store a JSON ${node.kind}.`);
}

function dynamicBoolean(
  value: boolean,
  column: Column,
  { isJson }: { readonly isJson: boolean },
): Value {
  if (column.type.kind === 'boolean') return value ? 1n : 0n;
  if (isJson) return String(value);
  throw invalidValue(column, 'it cannot store true or false.');
}

const numberKinds: ReadonlySet<ColumnKind> = new Set(['integer', 'decimal', 'float']);

/** Rejects a text that the column would convert to a number with other digits. */
function dynamicString(text: string, column: Column): Value {
  if (column.type.kind === 'float' && text === 'NaN')
    throw invalidValue(column, 'SQLite has no NaN; use NULL.');
  if (column.type.kind === 'float' && /^-?Infinity$/.test(text)) return Number(text);
  if (column.convertsDigits === true) return losslessNumber(text, column);
  if (!numberKinds.has(column.type.kind) || !numberPattern.test(text)) return text;
  return dynamicNumber(text, column);
}

/** A number with the white space around it that SQLite ignores. */
const paddedNumber = /^[\t-\r ]*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?[\t-\r ]*$/;

/** The value of a text in a column that converts texts to numbers. The number must have the same digits. */
function losslessNumber(text: string, column: Column): Value {
  if (!paddedNumber.test(text)) return text;
  if (/^(?:0|-?[1-9]\d*)$/.test(text) && isInt64(text)) return BigInt(text);
  const number = Number(text);
  if (number !== 0 && wholeOrReal(number) === text) return number;
  throw invalidValue(
    column,
    `the database would turn the text ${quotedExcerpt(text)} into a number with other digits; declare the column as TEXT to keep it.`,
  );
}

function dynamicNumber(digits: string, column: Column): Value {
  const isFloat = column.type.kind === 'float';
  if (integerPattern.test(digits) && !isFloat) {
    if (digits !== '-0' && isInt64(digits)) return BigInt(digits.replace('+', ''));
  }
  if (isFloat) return nearestDouble(digits, column);
  if (isExactDouble(digits) || isMarkedInfinity(digits)) return Number(digits);
  throw invalidValue(column, `${quotedExcerpt(digits)} cannot be stored exactly.`);
}

function isInt64(digits: string): boolean {
  if (digits.length > maxIntegerLength) return false;
  const value = BigInt(digits.replace('+', ''));
  return value >= -largestInt64 - 1n && value <= largestInt64;
}

/** The representation of infinity in columns without a type. */
function isMarkedInfinity(digits: string): boolean {
  return digits === '1e999' || digits === '-1e999';
}

// Columns with a fixed type.

type ReadTyped = (source: JsonSource, column: Column) => Value;

function readTyped(source: JsonSource, column: Column): Value {
  const value = (typedReaders[column.type.kind] ?? readText)(source, column);
  rejectLossyValue(source, column);
  return value;
}

/** Cached by type, because a file has many rows. */
const finders = new WeakMap<ColumnType, FindChange | null>();

function finderOf(type: ColumnType): FindChange | null {
  const knownFinder = finders.get(type);
  if (knownFinder !== undefined) return knownFinder;
  const finder = changeFinder(type) ?? null;
  finders.set(type, finder);
  return finder;
}

/** Rejects a value that the database would accept but store as another one, such as rounded. */
function rejectLossyValue({ node }: JsonSource, column: Column): void {
  const { type } = column;
  const isText = node.kind === 'string' || node.kind === 'number';
  if (isText) rejectLossyText(node.kind === 'string' ? node.value : node.digits, column, type);
  const items = itemType(type);
  if (items === undefined) return;
  const leaves = node.kind === 'array' ? leavesOf(node) : isText ? literalLeaves(node) : [];
  for (const leaf of leaves) rejectLossyText(leaf, column, items);
}

function rejectLossyText(text: string, column: Column, type: ColumnType): void {
  const change = finderOf(type)?.(text);
  if (change !== undefined) throw invalidValue(column, `${quotedExcerpt(text)} ${change}.`);
}

/** The type of an array's items, if the database could change such items. */
function itemType(type: ColumnType): ColumnType | undefined {
  if (type.kind !== 'array') return undefined;
  const items = itemType(type.of) ?? type.of;
  return finderOf(items) === null ? undefined : items;
}

function leavesOf(node: JsonNode): readonly string[] {
  if (node.kind === 'array') return node.items.flatMap(leavesOf);
  if (node.kind === 'string') return [node.value];
  return node.kind === 'number' ? [node.digits] : [];
}

/** The items of a PostgreSQL array literal: `{1,"a b"}`. */
function literalLeaves(node: JsonNode): readonly string[] {
  const text = node.kind === 'string' ? node.value : '';
  if (text.startsWith('[') && !/^\[[+-]?\d+:/.test(text))
    return leavesOf(parseExactJson(text, 'invalid_value'));
  const items = text.slice(text.indexOf('{')).matchAll(/"((?:[^"\\]|\\[^])*)"|[^{},"]+/g);
  return [...items].map(([item, quoted]) => quoted?.replaceAll(/\\([^])/g, '$1') ?? item);
}

const typedReaders: Partial<Record<ColumnKind, ReadTyped>> = {
  boolean: readBoolean,
  integer: (source, column) => readInteger(digitsOf(source, column), column),
  decimal: readDecimal,
  float: readFloat,
  enum: readEnum,
  json: ({ node, text }) => text.slice(node.start, node.end),
  array: ({ node, text }, column) =>
    node.kind === 'array' ? text.slice(node.start, node.end) : readText({ node, text }, column),
  binary: (_source, column) => {
    throw invalidValue(column, 'expected binary as {"$base64": "…"}.');
  },
  bits: readBits,
};

/** The digits of a number that is given as a number or a string. */
function digitsOf({ node }: JsonSource, column: Column): string {
  if (node.kind === 'number') return node.digits;
  if (node.kind === 'string' && numberPattern.test(node.value)) return node.value;
  throw invalidValue(
    column,
    `expected a number, not ${node.kind === 'string' ? quotedExcerpt(node.value) : `JSON ${node.kind}`}.`,
  );
}

function readBoolean({ node }: JsonSource, column: Column): Value {
  if (node.kind === 'boolean') return node.value;
  if (node.kind === 'number' && (node.digits === '0' || node.digits === '1'))
    return node.digits === '1';
  if (node.kind === 'number') return readInteger(node.digits, column);
  throw invalidValue(column, 'expected true or false.');
}

const specialNumbers: ReadonlySet<string> = new Set(['NaN', 'Infinity', '-Infinity']);

function isSpecial({ node }: JsonSource): boolean {
  return node.kind === 'string' && specialNumbers.has(node.value);
}

function readDecimal(source: JsonSource, column: Column): Value {
  if (isSpecial(source) && source.node.kind === 'string') return source.node.value;
  const digits = digitsOf(source, column);
  const scale = column.type.kind === 'decimal' ? column.type.scale : undefined;
  if (scale !== undefined && decimalsOf(digits) > scale) {
    throw invalidValue(column, `${quotedExcerpt(digits)} ${tooFine(scale)}.`);
  }
  return digits;
}

function readFloat(source: JsonSource, column: Column): Value {
  if (isSpecial(source) && source.node.kind === 'string') return Number(source.node.value);
  return nearestDouble(digitsOf(source, column), column);
}

function nearestDouble(digits: string, column: Column): number {
  const value = Number(digits);
  if (Number.isFinite(value)) return value;
  throw invalidValue(column, `${quotedExcerpt(digits)} is outside the range of a double.`);
}

function readText({ node }: JsonSource, column: Column): Value {
  if (node.kind === 'string') return node.value;
  if (node.kind === 'number' && column.type.kind === 'other') return node.digits;
  throw invalidValue(
    column,
    `expected a string, not ${node.kind === 'object' ? 'an object' : `JSON ${node.kind}`}.`,
  );
}

function readEnum(source: JsonSource, column: Column): Value {
  const value = readText(source, column);
  const enumLabels = column.type.kind === 'enum' ? column.type.values : [];
  if (mayBeLabel(enumLabels, String(value))) return value;
  throw invalidValue(
    column,
    `${quotedExcerpt(String(value))} is not one of ${enumLabels.map(quotedExcerpt).join(', ')}.`,
  );
}

function readBits(source: JsonSource, column: Column): Value {
  const value = readText(source, column);
  if (/^[01]*$/.test(String(value))) return value;
  throw invalidValue(column, 'expected a string of 0 and 1.');
}
