import { isJson } from './json-text.ts';
import { looksMarked } from './json-markers.ts';
import { bigintToken, doubleToken, numberToken } from './json-number.ts';
import type { ColumnInfo, ColumnKind, ColumnType } from '../schema.ts';
import type { Row, Value } from '../values.ts';

/** Writes a value as JSON text, by the rules of "Values in JSON rows" in the API documentation. */
export type EncodeCell = (value: Value) => string;

/** Returns the function that writes a column's values. It is created once and called for every row. */
export function cellEncoder(column: ColumnInfo): EncodeCell {
  if (column.dynamic === true) return dynamicEncoder(column.type);
  return column.mayHoldOtherText === true ? plainOrJson : typedEncoder(column.type);
}

/** A row's JSON object, keyed by column name. */
export function rowEncoder(columns: readonly ColumnInfo[]): (row: Row) => string {
  const keys = columns.map((column, i) => `${i === 0 ? '{' : ','}${JSON.stringify(column.name)}:`);
  const encoders = columns.map(cellEncoder);
  return (row) => {
    let text = '';
    for (let i = 0; i < encoders.length; i++) {
      text += keys[i]! + encoders[i]!(row[i] ?? null);
    }
    return text === '' ? '{}' : `${text}}`;
  };
}

/** The wire form of binary. */
function base64Cell(bytes: Uint8Array): string {
  return `{"$base64":"${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}"}`;
}

/** Writes a value by its JavaScript type, for column types without a special format. */
function plain(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return doubleToken(value);
  if (typeof value === 'bigint') return bigintToken(value);
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  return base64Cell(value);
}

// Columns with a fixed type: all values have that type, and numbers are passed as text.

function typedEncoder(type: ColumnType): EncodeCell {
  return typedEncoders[type.kind] ?? plain;
}

const typedEncoders: Partial<Record<ColumnKind, EncodeCell>> = {
  boolean: zeroOrOne,
  integer: digits,
  decimal: digits,
  float: digits,
  json: (value) => (typeof value === 'string' ? verbatimJson(value) : plain(value)),
  array: (value) => (typeof value === 'string' && isJsonArray(value) ? value : plain(value)),
};

function digits(value: Value): string {
  return typeof value === 'string' ? numberToken(value) : plain(value);
}

function zeroOrOne(value: Value): string {
  if (value === 0 || value === 0n) return 'false';
  if (value === 1 || value === 1n) return 'true';
  return plain(value);
}

/**
 * JSON as it is stored, without surrounding white space, so that writing it back stores the same
 * text. Markers distinguish a JSON null from NULL, and a document from a marker.
 */
function verbatimJson(storedText: string): string {
  const text = storedText.trim();
  return text === 'null' || looksMarked(text) ? `{"$json":${text}}` : text;
}

/** A text that is not valid JSON is written as a JSON string. Unchanged, it would make the whole response invalid. */
function plainOrJson(value: Value): string {
  return typeof value === 'string' && isJson(value) ? verbatimJson(value) : plain(value);
}

/** PostgreSQL writes explicit array bounds before the items: `[2:3]={…}`. */
function isJsonArray(text: string): boolean {
  return text.startsWith('[') && !/^\[-?\d+:/.test(text);
}

// Columns in which each value has its own storage class (SQLite).

const numericKinds: ReadonlySet<ColumnKind> = new Set(['boolean', 'integer', 'decimal', 'float']);
/** Kinds that do not convert values when they are stored, so that both 1 and 1.0 can occur. */
const unconvertedKinds: ReadonlySet<ColumnKind> = new Set(['untyped', 'binary']);

function dynamicEncoder(type: ColumnType): EncodeCell {
  const { kind } = type;
  const integer = numericKinds.has(kind) ? bigintToken : taggedInteger;
  const real =
    kind === 'float' ? doubleToken : unconvertedKinds.has(kind) ? realToken : wholeOrReal;
  const text = kind === 'json' ? storedJson : JSON.stringify;
  const other: EncodeCell = (value) => {
    if (typeof value === 'number') return real(value);
    if (typeof value === 'string') return text(value);
    return typeof value === 'bigint' ? integer(value) : plain(value);
  };
  return kind === 'boolean' ? (value) => flagOr(value, other) : other;
}

function flagOr(value: Value, other: EncodeCell): string {
  if (value === 0 || value === 0n) return 'false';
  return value === 1 || value === 1n ? 'true' : other(value);
}

/** In a column without a numeric type a string would be read as text. */
function taggedInteger(value: bigint): string {
  const token = bigintToken(value);
  return token.startsWith('"') ? `{"$int":${token}}` : token;
}

/** A REAL keeps its decimal point, and infinity is written as a number out of range. */
function realToken(value: number): string {
  if (value === Infinity) return '1e999';
  if (value === -Infinity) return '-1e999';
  const token = doubleToken(value);
  return /^-?\d+$/.test(token) ? `${token}.0` : token;
}

/** Numeric affinity stores integral numbers as INTEGER up to the precision of a double. Greater numbers are REAL. */
export function wholeOrReal(value: number): string {
  return Number.isSafeInteger(value) && !Object.is(value, -0) ? String(value) : realToken(value);
}

const bareWords: ReadonlySet<string> = new Set(['null', 'true', 'false']);

/**
 * Text in a column declared as JSON: objects, arrays, true, false and null are written as JSON.
 * Everything else stays a string, because `"12"` and `12` could not be distinguished from a text
 * and a number.
 */
function storedJson(text: string): string {
  if (bareWords.has(text)) return verbatimJson(text);
  return /^\s*[[{]/.test(text) && isJson(text) ? verbatimJson(text) : JSON.stringify(text);
}
