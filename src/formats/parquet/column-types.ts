/** The Parquet type of each column, and its values in it. A value that the type cannot hold is an error. */
import { StudioError } from '../../model/errors.ts';
import { textCellEncoder } from '../../model/values/text-cells.ts';
import { rejectedValue } from '../../model/values/rejected-value.ts';
import type { ParquetWriter } from 'hyparquet-writer';
import type { ColumnInfo } from '../../model/schema.ts';
import type { Value } from '../../model/values.ts';

export type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];

type Stored = boolean | number | bigint | string | Uint8Array;
type Present = Exclude<Value, null>;

export interface ParquetColumn {
  readonly element: SchemaElement;
  readonly convert: (value: Present) => Stored;
}

/** Undefined for a value that the type cannot hold. */
interface ParquetType {
  readonly title: string;
  readonly element: Omit<SchemaElement, 'name' | 'repetition_type'>;
  readonly convert: (value: Present) => Stored | undefined;
}

export function parquetColumn(column: ColumnInfo): ParquetColumn {
  const { title, element, convert } = typeOf(column);
  return {
    element: { ...element, name: column.name, repetition_type: 'OPTIONAL' },
    convert: (value) => convert(value) ?? reject(column, title, value),
  };
}

function reject(column: ColumnInfo, title: string, value: Present): never {
  const shown = JSON.stringify(rejectedValue(value, column));
  throw new StudioError(
    'invalid_value',
    `Column "${column.name}": ${title} of Parquet cannot hold ${shown}. Export the rows in another format, such as CSV.`,
    { column: column.name },
  );
}

/** Columns whose values may be of any storage class have the type of the declared kind, or are texts. */
function typeOf(column: ColumnInfo): ParquetType {
  const { type, dynamic: isDynamic = false } = column;
  if (type.kind === 'boolean') return booleanType;
  if (type.kind === 'integer')
    return isDynamic ? withoutTexts(int64) : integerType(type.bits, type.unsigned);
  if (type.kind === 'float')
    return isDynamic ? withoutTexts(double) : type.bits === 32 ? float : double;
  if (type.kind === 'binary') return bytes;
  if (isDynamic) return textType(column);
  if (type.kind === 'decimal' && type.precision !== undefined)
    return decimalType(column, type.precision, type.scale ?? 0);
  if (type.kind === 'date') return date;
  if (type.kind === 'timestamp' && (type.precision ?? 6) <= 6)
    return timestampType(type.zone === true);
  return textType(column);
}

/** A text in a numeric column (SQLite) is no number. Other databases return numbers as texts of their digits. */
function withoutTexts(type: ParquetType): ParquetType {
  return {
    ...type,
    convert: (value) => (typeof value === 'string' ? undefined : type.convert(value)),
  };
}

const booleanType: ParquetType = {
  title: 'BOOLEAN',
  element: { type: 'BOOLEAN' },
  convert: (value) => {
    if (typeof value === 'boolean') return value;
    return value === 0 || value === 1 || value === 0n || value === 1n
      ? Number(value) === 1
      : undefined;
  },
};

const int32: ParquetType = {
  title: 'INT32',
  element: { type: 'INT32' },
  convert: (value) => {
    const integer = bigintOf(value);
    return integer !== undefined && BigInt.asIntN(32, integer) === integer
      ? Number(integer)
      : undefined;
  },
};

const int64: ParquetType = {
  title: 'INT64',
  element: { type: 'INT64' },
  convert: (value) => {
    const integer = bigintOf(value);
    return integer !== undefined && BigInt.asIntN(64, integer) === integer ? integer : undefined;
  },
};

function bigintOf(value: Present): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'string') return /^-?\d+$/.test(value) ? BigInt(value) : undefined;
  // Negative zero is no integer.
  return Number.isSafeInteger(value) && !Object.is(value, -0) ? BigInt(value as number) : undefined;
}

/** Unsigned integers of 64 bits are decimals: many readers take an unsigned INT64 for a signed one. */
function integerType(bits: number, isUnsigned = false): ParquetType {
  if (!isUnsigned) return bits === 64 ? int64 : int32;
  if (bits < 64) return bits === 32 ? int64 : int32;
  const { title, element } = exactDecimal(20, 0);
  return { title, element, convert: bigintOf };
}

const float: ParquetType = {
  title: 'FLOAT',
  element: { type: 'FLOAT' },
  convert: numberOf,
};

const double: ParquetType = {
  title: 'DOUBLE',
  element: { type: 'DOUBLE' },
  convert: numberOf,
};

/** Undefined for an integer that a double cannot hold. */
function numberOf(value: Present): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return BigInt(Number(value)) === value ? Number(value) : undefined;
  const isNumber = /^(?:NaN|-?(?:Infinity|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?))$/.test(String(value));
  return isNumber ? Number(value) : undefined;
}

const bytes: ParquetType = {
  title: 'BYTE_ARRAY',
  element: { type: 'BYTE_ARRAY' },
  convert: (value) => (value instanceof Uint8Array ? value : undefined),
};

function textType(column: ColumnInfo): ParquetType {
  const encode = textCellEncoder(column);
  return {
    title: 'STRING',
    element: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
    convert: (value) => {
      const text = encode(value);
      return text.isWellFormed() ? text : undefined;
    },
  };
}

const maxPrecision = 38;

function decimalType(column: ColumnInfo, precision: number, scale: number): ParquetType {
  if (precision > maxPrecision || scale < 0 || scale > precision) return textType(column);
  return exactDecimal(precision, scale);
}

function exactDecimal(precision: number, scale: number): ParquetType {
  const limit = 10n ** BigInt(precision);
  return {
    title: `DECIMAL(${precision},${scale})`,
    element: {
      type: 'FIXED_LEN_BYTE_ARRAY',
      type_length: bytesOfDecimal(limit),
      converted_type: 'DECIMAL',
      precision,
      scale,
    },
    convert: (value) => {
      const unscaled = unscaledOf(value, scale);
      return unscaled !== undefined && unscaled < limit && unscaled > -limit ? unscaled : undefined;
    },
  };
}

function bytesOfDecimal(limit: bigint): number {
  let length = 1;
  while (BigInt.asIntN(8 * length, limit) !== limit) length++;
  return length;
}

/** Undefined unless the value is a number with at most `scale` decimals. */
function unscaledOf(value: Present, scale: number): bigint | undefined {
  const [, sign = '', whole = '', fraction = ''] =
    /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(String(value)) ?? [];
  if (whole + fraction === '' || typeof value === 'object') return undefined;
  const digits = fraction.replace(/0+$/, '');
  if (digits.length > scale) return undefined;
  const unscaled = BigInt(whole + digits.padEnd(scale, '0'));
  return sign === '-' ? -unscaled : unscaled;
}

const dayMs = 86_400_000;

const date: ParquetType = {
  title: 'DATE',
  element: { type: 'INT32', converted_type: 'DATE' },
  convert: (value) => {
    const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(String(value));
    const ms = parts === null ? undefined : msOf(parts);
    return ms === undefined ? undefined : ms / dayMs;
  },
};

/** The start of a day in UTC; undefined for a day that does not exist. */
function msOf([, year, month, day]: readonly string[]): number | undefined {
  const start = new Date(0);
  start.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const exists = start.getUTCMonth() === Number(month) - 1 && start.getUTCDate() === Number(day);
  return exists ? start.getTime() : undefined;
}

const timestampPattern =
  /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?(Z|[+-]\d\d(?::?\d\d)?)?$/;

/** Microseconds since 1970, in UTC if the column has a time zone. */
function timestampType(hasZone: boolean): ParquetType {
  return {
    title: 'TIMESTAMP',
    element: {
      type: 'INT64',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: hasZone, unit: 'MICROS' },
    },
    convert: (value) => {
      const parts = timestampPattern.exec(String(value));
      const day = parts === null ? undefined : msOf(parts);
      if (parts === null || day === undefined || (parts[8] !== undefined) !== hasZone)
        return undefined;
      const [, , , , hour, minute, second, fraction = ''] = parts;
      if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
      const seconds = (Number(hour) * 60 + Number(minute)) * 60 + Number(second);
      const ms = day + seconds * 1000 - offsetMs(parts[8]);
      return BigInt(ms) * 1000n + BigInt(fraction.padEnd(6, '0'));
    },
  };
}

function offsetMs(zone = 'Z'): number {
  const [, sign, hours, minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  if (sign === undefined) return 0;
  const ms = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return sign === '-' ? -ms : ms;
}
