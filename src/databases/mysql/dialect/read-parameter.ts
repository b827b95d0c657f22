import { mayBeLabel } from '../../../model/enum-labels.ts';
import { inUtc } from './values.ts';
import type { Column, ColumnKind, ColumnType } from '../../../model/schema.ts';
import type { Value } from '../../../model/values.ts';

/** Parses the text of a filter or of an id as a value of the column's type. What only the server can check is passed on as text. */
export function readParameter(text: string, column: Column): readonly Value[] {
  if (!text.isWellFormed()) return [];
  const read = readers[column.type.kind];
  const value = read === undefined ? text : read(text, column.type);
  return value === undefined ? [] : [value];
}

type Read = (text: string, type: ColumnType) => Value | undefined;

const readers: Partial<Record<ColumnKind, Read>> = {
  boolean: readBoolean,
  integer: readInteger,
  decimal: (text) => (decimalPattern.test(text) ? text : undefined),
  float: readFloat,
  enum: readEnum,
  set: readSet,
  uuid: (text) => (/^[\da-f]{8}(?:-?[\da-f]{4}){3}-?[\da-f]{12}$/i.test(text) ? text : undefined),
  date: (text) => (datePattern.test(text) ? text : undefined),
  time: (text) => (timePattern.test(text) ? text : undefined),
  timestamp: readTimestamp,
  binary: readBinary,
  bits: (text) => (/^[01]{1,64}$/.test(text) ? text : undefined),
};

const decimalPattern = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/;
const datePattern = /^\d{4}-\d\d-\d\d$/;
const timePattern = /^-?\d{1,3}:\d\d(?::\d\d(?:\.\d+)?)?$/;
const timestampPattern = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?$/i;

/** A tinyint(1) may hold numbers other than 0 and 1. */
function readBoolean(text: string): Value | undefined {
  if (/^true$/i.test(text)) return 1n;
  return /^false$/i.test(text) ? 0n : readInteger(text, { kind: 'integer', bits: 8 });
}

/** No integer type has more than 20 digits. A limit keeps BigInt fast; it leaves room for leading zeros. */
function readInteger(text: string, type: ColumnType): bigint | undefined {
  if (type.kind !== 'integer' || !/^[+-]?\d{1,30}$/.test(text)) return undefined;
  const value = BigInt(text.replace('+', ''));
  const span = 2n ** BigInt(type.bits);
  const [minimum, limit] = type.unsigned === true ? [0n, span] : [-span / 2n, span / 2n];
  return value >= minimum && value < limit ? value : undefined;
}

/** A FLOAT stores the nearest single-precision number and is compared as a double. */
function readFloat(text: string, type: ColumnType): number | undefined {
  if (!decimalPattern.test(text)) return undefined;
  const value =
    type.kind === 'float' && type.bits === 32 ? Math.fround(Number(text)) : Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** The collation decides which labels are equal. The empty string stands for an invalid value that was stored. */
function readEnum(text: string, type: ColumnType): string | undefined {
  return type.kind === 'enum' && (text === '' || includesName(type.values, text))
    ? text
    : undefined;
}

function readSet(text: string, type: ColumnType): string | undefined {
  const members = text === '' ? [] : text.split(',');
  if (type.kind !== 'set' || !members.every((member) => includesName(type.values, member)))
    return undefined;
  return type.values.filter((value) => includesName(members, value)).join(',');
}

function includesName(names: readonly string[], name: string): boolean {
  return mayBeLabel(names.map(folded), folded(name));
}

function folded(name: string): string {
  return name.toLowerCase();
}

function readTimestamp(text: string, type: ColumnType): string | undefined {
  const timestamp = type.kind === 'timestamp' && type.zone === true ? inUtc(text) : text;
  return timestampPattern.test(timestamp) ? timestamp : undefined;
}

/** `\x` and hex, or base64 as in ids. */
function readBinary(text: string): Value | undefined {
  const hex = /^\\x((?:[\da-f]{2})*)$/i.exec(text)?.[1];
  if (hex !== undefined) return Buffer.from(hex, 'hex');
  return /^[\w+/-]*={0,2}$/.test(text) ? Buffer.from(text, 'base64url') : undefined;
}
