/**
 * Evaluates CAST and CONVERT. A cast is computed here if every database gives the same result. A cast
 * whose result depends on the column is kept as a value until the column is known. Then it is
 * resolved or rejected.
 */
import { isUtf8 } from 'node:buffer';
import { timeOfBytes } from './binary-times.ts';
import { exactCast } from './exact-cast.ts';
import { bytesOf, decodeText, hexBytes, rawOf, textValue } from './literals.ts';
import { isRealTime } from './value-functions.ts';
import type { DataScriptRules, ExactCast } from '../../../sql/data-script.ts';
import type { Column, ColumnKind } from '../../../model/schema.ts';
import type { CastType, SqlValue } from './literals.ts';

type CastValue = Extract<SqlValue, { readonly kind: 'cast' }>;

export function castTo(
  type: CastType,
  value: SqlValue,
  { casts, bytesAsText }: Pick<DataScriptRules, 'casts' | 'bytesAsText'>,
): SqlValue {
  if (value.kind === 'null') return value;
  const castValue =
    casts === 'by-class'
      ? castToClass(type.name, value)
      : (castToText(type, value, bytesAsText) ??
        castToBytes(type, value, bytesAsText) ??
        castToInteger(type, value) ??
        castToTime(type, value));
  return castValue ?? { kind: 'cast', type, value };
}

// SQLite: https://www.sqlite.org/datatype3.html#determination_of_column_affinity

const plainInteger = /^(?:0|-?[1-9]\d{0,17})$/;

function castToClass(name: string, value: SqlValue): SqlValue | undefined {
  const integer = integerDigits(value);
  if (name.includes('INT'))
    return integer === undefined ? undefined : { kind: 'number', digits: integer };
  if (/CHAR|CLOB|TEXT/.test(name)) {
    if (value.kind === 'bytes') return textOfBytes(value, 'utf8');
    return textOf(value);
  }
  if (name.includes('BLOB') || name === '') {
    const text = textOf(value);
    if (text === undefined) return value.kind === 'bytes' ? value : undefined;
    return text.kind === 'text' ? { kind: 'bytes', bytes: bytesOf(text.raw) } : undefined;
  }
  if (integer === undefined) return undefined;
  const isReal = /REAL|FLOA|DOUB/.test(name);
  return { kind: 'number', digits: isReal ? `${integer}.0` : integer };
}

function textOf(value: SqlValue): SqlValue | undefined {
  if (value.kind === 'text' || value.kind === 'wide') return value;
  return value.kind === 'number' && plainInteger.test(value.digits)
    ? { kind: 'text', raw: value.digits }
    : undefined;
}

function integerDigits(value: SqlValue): string | undefined {
  const digits =
    value.kind === 'number' ? value.digits : value.kind === 'text' ? value.raw : undefined;
  return digits !== undefined && plainInteger.test(digits) ? digits : undefined;
}

// The other databases

const varyingTexts =
  /^(?:(?:TINY|MEDIUM|LONG)?TEXT|NTEXT|CLOB|CITEXT|N?VARCHAR2?|(?:NATIONAL )?CHAR(?:ACTER)? VARYING|UTF8(?:MB[34])?)$/;
const fixedTexts = /^(?:NATIONAL )?N?(?:BP)?CHAR(?:ACTER)?$/;

/** A string that the cast does not shorten or pad. */
function castToText(
  { name, sizes, isArray }: CastType,
  value: SqlValue,
  bytesAsText: DataScriptRules['bytesAsText'],
): SqlValue | undefined {
  if (isArray || !(varyingTexts.test(name) || fixedTexts.test(name))) return undefined;
  const text = textOf(value) ?? textOfBytes(value, bytesAsText);
  if (text === undefined) return undefined;
  const length = text.kind === 'wide' ? text.text.length : lengthOf(text);
  const [size] = sizes;
  if (size === undefined) {
    // Without a length, CHAR has one character, or any number; VARCHAR of SQL Server has 30.
    const isSure = bytesAsText === 'utf8' || (!fixedTexts.test(name) && length <= 30);
    return isSure || name.endsWith('TEXT') ? text : undefined;
  }
  if (size === 'MAX') return text;
  const isFixed = fixedTexts.test(name) && bytesAsText !== 'utf8';
  return isFixed ? keepIf(text, length === Number(size)) : keepIf(text, length <= Number(size));
}

function keepIf(value: SqlValue, condition: boolean): SqlValue | undefined {
  return condition ? value : undefined;
}

function lengthOf(value: SqlValue): number {
  return value.kind === 'text' ? decodeText(value.raw).text.length : Infinity;
}

function textOfBytes(
  value: SqlValue,
  bytesAsText: DataScriptRules['bytesAsText'],
): SqlValue | undefined {
  if (value.kind !== 'bytes' && value.kind !== 'hex') return undefined;
  const { bytes } = value;
  return bytesAsText === 'utf8' && isUtf8(bytes) ? { kind: 'text', raw: rawOf(bytes) } : undefined;
}

const binaryTypes = /^(?:(?:TINY|MEDIUM|LONG)?BLOB|VARBINARY|BINARY VARYING|BYTEA|IMAGE)$/;

function castToBytes(
  { name, sizes, isArray }: CastType,
  value: SqlValue,
  bytesAsText: DataScriptRules['bytesAsText'],
): SqlValue | undefined {
  const isFixed = name === 'BINARY';
  if (isArray || !(isFixed || binaryTypes.test(name))) return undefined;
  const bytes = bytesOfValue(name, value, bytesAsText);
  const [size] = sizes;
  if (bytes === undefined || size === 'MAX') return bytes && { kind: 'bytes', bytes };
  const fits =
    size === undefined
      ? bytesAsText !== 'utf16' || bytes.length <= 30
      : isFixed
        ? bytes.length === Number(size)
        : bytes.length <= Number(size);
  return fits ? { kind: 'bytes', bytes } : undefined;
}

function bytesOfValue(
  name: string,
  value: SqlValue,
  bytesAsText: DataScriptRules['bytesAsText'],
): Buffer | undefined {
  if (value.kind === 'bytes' || value.kind === 'hex') return value.bytes;
  if (value.kind !== 'text') return undefined;
  if (name === 'BYTEA') {
    if (/^\\x(?:[\da-f]{2})*$/i.test(value.raw)) return hexBytes(value.raw.slice(2));
    return value.raw.includes('\\') ? undefined : bytesOf(value.raw);
  }
  return bytesAsText === 'utf8' ? bytesOf(value.raw) : undefined;
}

const integerBits: Readonly<Record<string, number>> = {
  SMALLINT: 16,
  INT2: 16,
  INT: 32,
  INT4: 32,
  INTEGER: 32,
  BIGINT: 64,
  INT8: 64,
  SIGNED: 64,
  'SIGNED INTEGER': 64,
};

function castToInteger({ name, isArray }: CastType, value: SqlValue): SqlValue | undefined {
  const bits = Object.hasOwn(integerBits, name) ? integerBits[name] : undefined;
  const digits = integerDigits(value);
  if (bits === undefined || isArray || digits === undefined) return undefined;
  const fits = BigInt.asIntN(bits, BigInt(digits)) === BigInt(digits);
  return fits ? { kind: 'number', digits } : undefined;
}

/** Binary datetime values of SQL Server, and the current time. */
function castToTime({ name, sizes }: CastType, value: SqlValue): SqlValue | undefined {
  if (value.kind === 'hex') return timeOfBytes(name, value.bytes);
  if (value.kind !== 'now' || sizes.length > 0) return undefined;
  if (name === 'DATE' || name === 'TIME')
    return value.part === 'timestamp' ? { ...value, part: name === 'DATE' ? 'date' : 'time' } : undefined; // prettier-ignore
  return /^(?:DATETIME2?|TIMESTAMP(?:TZ)?)/.test(name) && value.part === 'timestamp'
    ? value
    : undefined;
}

// At the column

/** By type name: the column kind whose values are the same with and without the cast. */
const kindsOfNames: readonly (readonly [RegExp, ColumnKind])[] = [
  [/^DATE$/, 'date'],
  [/^(?:TIME|TIMETZ)\b/, 'time'],
  [/^(?:TIMESTAMP|DATETIME|SMALLDATETIME|DATETIMEOFFSET)/, 'timestamp'],
  [/^INTERVAL\b/, 'interval'],
  [/^(?:UUID|UNIQUEIDENTIFIER)$/, 'uuid'],
  [/^JSONB?$/, 'json'],
  [/^BOOL(?:EAN)?$/, 'boolean'],
  [/^(?:NUMERIC|DECIMAL)$/, 'decimal'],
  [/^(?:DOUBLE PRECISION|DOUBLE|FLOAT8|FLOAT)$/, 'float'],
];

/** The value without the cast, if the column stores the same for both; undefined if that is not certain. */
export function removeCast(
  { type, value }: CastValue,
  column: Column,
  { exactCasts }: Pick<DataScriptRules, 'exactCasts'>,
): SqlValue | undefined {
  const inner = value.kind === 'cast' ? removeCast(value, column, { exactCasts }) : value;
  if (inner === undefined) return undefined;
  // SQL Server's sql_variant takes a value of any type; PostgreSQL's money is written as a number.
  const { nativeType } = column;
  if (/\bsql_variant\b/i.test(nativeType)) return inner;
  const cast = Object.hasOwn(exactCasts, type.name) ? exactCasts[type.name] : undefined;
  const exact = cast && exactCast(cast, type, inner);
  if (column.dynamic === true) return exact && asStored(exact, column);
  if (isTypeOfColumn(type, column) || /\bmoney\b/i.test(nativeType)) return inner;
  const unchanged = isNarrow(cast, inner) ? undefined : withoutConversion({ kind: 'cast', type, value: inner }, column); // prettier-ignore
  return unchanged ?? (exact !== undefined && hasKind(cast, column) ? exact : undefined);
}

/** Whether the type may hold fewer digits of the value than a column of its kind. */
function isNarrow(cast: ExactCast | undefined, value: SqlValue): boolean {
  if (cast?.kind === 'decimal') return cast.precision !== undefined;
  if (cast?.kind === 'float') return cast.bits === 32;
  if (cast?.kind !== 'time' && cast?.kind !== 'timestamp') return false;
  const hasFraction = value.kind === 'text' && /\.\d*[1-9]/.test(value.raw);
  return cast.pattern !== undefined || (hasFraction && cast.digits === undefined);
}

/** A number in a text column of SQLite keeps its digits. */
function asStored(value: SqlValue, column: Column): SqlValue {
  const isText = column.type.kind === 'text' && column.convertsDigits !== true;
  return value.kind === 'number' && isText ? textValue(value.digits) : value;
}

function hasKind(cast: ExactCast | undefined, { type }: Column): boolean {
  if (cast === undefined || cast.kind !== type.kind) return false;
  const isZoned = (type.kind === 'timestamp' || type.kind === 'time') && type.zone === true;
  return !('zone' in cast && cast.zone !== undefined) === !isZoned;
}

function withoutConversion(
  { type, value: inner }: CastValue,
  column: Column,
): SqlValue | undefined {
  const isArray = column.type.kind === 'array';
  if (type.isArray || isArray)
    return type.isArray && isArray && type.sizes.length === 0 ? inner : undefined;
  const kind = kindsOfNames.find(([pattern]) => pattern.test(type.name))?.[1];
  if (kind !== column.type.kind) return undefined;
  return isUnchanged(kind, { type, value: inner }, column) ? inner : undefined;
}

function isTypeOfColumn({ name, sizes }: CastType, { nativeType }: Column): boolean {
  const native = nativeType.toUpperCase().replaceAll(/["`[\]\s]/g, '');
  const compactName = name.replaceAll(' ', '');
  const sized = sizes.length === 0 ? compactName : `${compactName}(${sizes.join(',')})`;
  return native === sized || native.endsWith(`.${sized}`);
}

function isUnchanged(
  kind: ColumnKind | undefined,
  { type: { name, sizes }, value }: { readonly type: CastType; readonly value: SqlValue },
  { type }: Column,
): boolean {
  if (kind === 'decimal' || kind === 'float')
    return sizes.length === 0 && (value.kind === 'number' || value.kind === 'text');
  if (kind !== 'timestamp' && kind !== 'time') return sizes.length === 0;
  const isZoned = /TZ$|OFFSET$|WITH TIME ZONE$/.test(name);
  const zone = (type.kind === 'timestamp' || type.kind === 'time') && type.zone === true;
  const text = value.kind === 'text' ? value.raw : '';
  const isWhole = !text.includes('.') || /\.0+$/.test(text);
  const isRounded = sizes.length > 0 || /^(?:SMALL)?DATETIME$/.test(name);
  return isZoned === zone && (!isRounded || (isWhole && isRealTime(text)));
}
