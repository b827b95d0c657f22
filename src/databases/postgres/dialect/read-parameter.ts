import type { Column, ColumnKind, ColumnType } from '../../../model/schema.ts';
import type { Value } from '../../../model/values.ts';

/** Parses the text of a filter or of an id as a value of the column's type. What only the server can check is passed on as text. */
export function readParameter(text: string, column: Column): readonly Value[] {
  if (!text.isWellFormed() || text.includes('\0')) return [];
  const read = readers[column.type.kind] ?? readNonEmpty;
  const value = read(text, column.type);
  return value === undefined ? [] : [value];
}

/** Ids contain JSON strings without quotes, so `1` may be the number or the string. */
export function readKeyPart(text: string, column: Column): readonly Value[] {
  const values = readParameter(text, column);
  const isJson = column.type.kind === 'json' && text.isWellFormed() && !text.includes('\0');
  return isJson ? [...values, JSON.stringify(text)] : values;
}

type Read = (text: string, type: ColumnType) => Value | undefined;

const readers: Partial<Record<ColumnKind, Read>> = {
  boolean: readBoolean,
  integer: readInteger,
  decimal: (text) => (decimalPattern.test(text) || specialPattern.test(text) ? text : undefined),
  float: readFloat,
  text: (text) => text,
  enum: (text, type) => (type.kind === 'enum' && type.values.includes(text) ? text : undefined),
  uuid: (text) => (uuidPattern.test(text) ? text : undefined),
  json: readJson,
  binary: readBinary,
  bits: (text) => (/^[01]*$/.test(text) ? text : undefined),
  array: readArray,
  // The empty text is valid for some types (tsvector, hstore, ltree), and the server rejects it for others.
  other: (text) => text,
};

const decimalPattern = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,5})?$/;
const specialPattern = /^(?:nan|[+-]?inf(?:inity)?)$/i;
const uuidPattern = /^(?:\{[\da-f]{4}(?:-?[\da-f]{4}){7}\}|[\da-f]{4}(?:-?[\da-f]{4}){7})$/i;

function readNonEmpty(text: string): Value | undefined {
  return text === '' ? undefined : text;
}

function readBoolean(text: string): Value | undefined {
  if (/^(?:true|t|yes|on|1)$/i.test(text)) return true;
  return /^(?:false|f|no|off|0)$/i.test(text) ? false : undefined;
}

/** No integer type has more than 20 digits. A limit keeps BigInt fast; it leaves room for leading zeros. */
function readInteger(text: string, type: ColumnType): Value | undefined {
  if (type.kind !== 'integer' || !/^[+-]?\d{1,30}$/.test(text)) return undefined;
  const value = BigInt(text.replace('+', ''));
  const span = 2n ** BigInt(type.bits);
  const [minimum, limit] = type.unsigned === true ? [0n, span] : [-span / 2n, span / 2n];
  return value >= minimum && value < limit ? value : undefined;
}

/** The server rejects numbers outside the range of the type. */
function readFloat(text: string, type: ColumnType): Value | undefined {
  if (specialPattern.test(text)) return text;
  if (!decimalPattern.test(text)) return undefined;
  const value =
    type.kind === 'float' && type.bits === 32 ? Math.fround(Number(text)) : Number(text);
  return Number.isFinite(value) ? text : undefined;
}

function readJson(text: string): Value | undefined {
  try {
    JSON.parse(text);
    return text;
  } catch {
    return undefined;
  }
}

/** `\x` and hexadecimal digits, or base64url as in ids. */
function readBinary(text: string): Value | undefined {
  const hex = /^\\x((?:[\da-f]{2})*)$/i.exec(text)?.[1];
  if (hex !== undefined) return Buffer.from(hex, 'hex');
  return /^[\w+/-]*={0,2}$/.test(text) ? Buffer.from(text, 'base64url') : undefined;
}

/** A JSON array, or a PostgreSQL array literal. */
function readArray(text: string): Value | undefined {
  if (text.startsWith('{') || /^\[[+-]?\d+:/.test(text)) return text;
  return text.startsWith('[') ? readJson(text) : undefined;
}
