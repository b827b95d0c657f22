import { isDecimal } from './values.ts';
import type { Column, ColumnKind, ColumnType } from '../../../model/schema.ts';
import type { Value } from '../../../model/values.ts';

/**
 * Parses the text of a filter or of an id as values of the column's type: none if it is not valid, several if the
 * type leaves it open. What only the server can check is passed on as text.
 */
export function readParameter(text: string, column: Column): readonly Value[] {
  const { type } = column;
  if (type.kind === 'untyped') return readVariants(text);
  const value = (readers[type.kind] ?? readNonEmpty)(text, type);
  return value === undefined ? [] : [value];
}

type Read = (text: string, type: ColumnType) => Value | undefined;

const readers: Partial<Record<ColumnKind, Read>> = {
  boolean: readBoolean,
  integer: readInteger,
  decimal: (text) => (isDecimal(text) ? text : undefined),
  float: readFloat,
  text: (text) => text,
  uuid: (text) => (uuidPattern.test(text) ? text : undefined),
  date: (text) => (datePattern.test(text) ? text : undefined),
  time: (text) => (timePattern.test(text) ? text : undefined),
  timestamp: readTimestamp,
  json: (text) => text,
  binary: readBinary,
};

const uuidPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const datePattern = /^\d{4}-\d\d-\d\d$/;
const timePattern = /^\d\d:\d\d(?::\d\d(?:\.\d{1,7})?)?$/;
const timestampPattern = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,7})?)?)?$/;
const zonedPattern = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,7})?)? ?(?:Z|[+-]\d\d:\d\d)$/i;
const numberPattern = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

function readNonEmpty(text: string): Value | undefined {
  return text === '' ? undefined : text;
}

function readBoolean(text: string): Value | undefined {
  if (/^(?:true|1)$/i.test(text)) return true;
  return /^(?:false|0)$/i.test(text) ? false : undefined;
}

/** No integer type has more than 20 digits. A limit keeps BigInt fast; it leaves room for leading zeros. */
function readInteger(text: string, type: ColumnType): Value | undefined {
  if (type.kind !== 'integer' || !/^[+-]?\d{1,30}$/.test(text)) return undefined;
  const value = BigInt(text.replace('+', ''));
  const span = 2n ** BigInt(type.bits);
  const [minimum, limit] = type.unsigned === true ? [0n, span] : [-span / 2n, span / 2n];
  return value >= minimum && value < limit ? value : undefined;
}

function readFloat(text: string, type: ColumnType): Value | undefined {
  if (!numberPattern.test(text)) return undefined;
  const value = Number(text);
  const storedNumber = type.kind === 'float' && type.bits === 32 ? Math.fround(value) : value;
  return Number.isFinite(storedNumber) ? value : undefined;
}

/** For a datetimeoffset column, a text without an offset is in UTC. */
function readTimestamp(text: string, type: ColumnType): Value | undefined {
  const isZoned = type.kind === 'timestamp' && type.zone === true;
  return timestampPattern.test(text) || (isZoned && zonedPattern.test(text)) ? text : undefined;
}

/** T-SQL's `0x` and hex, or base64 as in ids. */
function readBinary(text: string): Value | undefined {
  const hex = /^0x((?:[\da-f]{2})*)$/i.exec(text)?.[1];
  if (hex !== undefined) return Buffer.from(hex, 'hex');
  return /^[\w+/-]*={0,2}$/.test(text) ? Buffer.from(text, 'base64url') : undefined;
}

/** A sql_variant compares only values of the same type family, so a number is tried as number and as text. 18 digits fit a bigint. */
function readVariants(text: string): readonly Value[] {
  if (/^[+-]?\d{1,18}$/.test(text)) return [BigInt(text), text];
  return numberPattern.test(text) && Number.isFinite(Number(text)) ? [Number(text), text] : [text];
}
