import { StudioError } from '../../../model/errors.ts';
import { parseEwkt } from './ewkt.ts';
import { geometryText } from './geometry-text.ts';
import { isSpatial, referenceSystemOf, wireTypes } from './types.ts';
import { isVector, vectorBytes, vectorText } from './vector.ts';
import type { ColumnType } from '../../../model/schema.ts';
import type { Value } from '../../../model/values.ts';
import type { ServerInfo } from './server-info.ts';
import type { WireField } from './types.ts';

/** Converts a value of the driver. */
type Decode = (value: Value) => Value;

/** The conversion for a column; undefined if the driver's values need none. */
function decoderOf(field: WireField): Decode | undefined {
  if (field.columnType === wireTypes.bit)
    return field.columnLength === 1 ? readFlag : bitReader(field.columnLength);
  return decoders[field.columnType];
}

/** Converts the rows in place, before anyone else holds them. */
export function decodeRows(fields: readonly WireField[], rows: readonly Value[][]): void {
  fields.forEach((field, i) => {
    const decode = decoderOf(field);
    if (decode === undefined) return;
    for (const row of rows) {
      const value = row[i];
      if (value !== null && value !== undefined) row[i] = decode(value);
    }
  });
}

/** Converts geometries and vectors in place to the text that `selectExpression` selects; invalid bytes stay bytes. */
export function decodeGeometries(
  fields: readonly WireField[],
  rows: readonly Value[][],
  { isMariadb }: ServerInfo,
): void {
  fields.forEach((field, i) => {
    const read = textReaderOf(field, isMariadb);
    if (read === undefined) return;
    for (const row of rows) {
      const value = row[i];
      if (value instanceof Uint8Array) row[i] = read(value) ?? value;
    }
  });
}

type ReadText = (bytes: Uint8Array) => string | undefined;

function textReaderOf(field: WireField, isMariadb: boolean): ReadText | undefined {
  if (field.isGeometry === true) return (bytes) => geometryText(bytes, isMariadb);
  // MariaDB's protocol has a name for this type, but no number.
  const isOfVectors = field.isVector === true || field.extendedTypeName === 'vector';
  return isOfVectors ? vectorText : undefined;
}

const decoders: Readonly<Record<number, Decode>> = {
  [wireTypes.longlong]: (value) => (typeof value === 'string' ? BigInt(value) : value),
  [wireTypes.datetime]: (value) => (typeof value === 'string' ? isoTimestamp(value, '') : value),
  [wireTypes.timestamp]: (value) => (typeof value === 'string' ? isoTimestamp(value, 'Z') : value),
  [wireTypes.time]: (value) => (typeof value === 'string' ? withoutTrailingZeros(value) : value),
};

function readFlag(value: Value): Value {
  return value instanceof Uint8Array ? (value[0] ?? 0) : value;
}

function bitReader(length: number): Decode {
  return (value) => {
    if (!(value instanceof Uint8Array)) return value;
    let bits = '';
    for (const byte of value) bits += byte.toString(2).padStart(8, '0');
    return bits.slice(-length).padStart(length, '0');
  };
}

/** Converts `2026-01-31 13:05:00.250000` to `2026-01-31T13:05:00.25`. Dates with a zero month or day stay as they are: ISO 8601 has none. */
function isoTimestamp(text: string, zone: string): string {
  const hasZero = text.startsWith('00', 5) || text.startsWith('00', 8);
  return hasZero ? text : `${text.slice(0, 10)}T${withoutTrailingZeros(text.slice(11))}${zone}`;
}

function withoutTrailingZeros(time: string): string {
  return time.includes('.') ? time.replace(/\.?0+$/, '') : time;
}

/** A parameter of the binary protocol. */
export type Parameter =
  | { readonly kind: 'null'; readonly value: null }
  | { readonly kind: 'integer'; readonly value: bigint; readonly unsigned: boolean }
  | { readonly kind: 'double'; readonly value: number }
  | { readonly kind: 'decimal'; readonly value: string }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'bytes'; readonly value: Buffer };

/** Types whose text must be converted before it is sent; the server converts all others exactly. */
type MarkedKind = 'decimal' | 'timestamp' | 'bits' | 'vector';

/** The placeholder of a parameter, with its type in a comment that `toParameters` reads. */
export function placeholder(index: number, type?: ColumnType): string {
  if (type !== undefined && isSpatial(type)) {
    const system = referenceSystemOf(type);
    return `ST_GeomFromText(?/*${index} wkt*/, ?/*${index} srid ${system}*/, ?/*${index} axes*/)`;
  }
  const marked = type === undefined ? undefined : markOf(type);
  return marked === undefined ? '?' : `?/*${index} ${marked}*/`;
}

function markOf(type: ColumnType): MarkedKind | undefined {
  if (type.kind === 'decimal' || type.kind === 'bits') return type.kind;
  if (isVector(type)) return 'vector';
  return type.kind === 'timestamp' && type.zone === true ? 'timestamp' : undefined;
}

/** MariaDB converts invalid text to NULL. COALESCE then passes invalid text on, so that the column rejects it. */
export function mariadbPlaceholder(index: number, type?: ColumnType): string {
  if (type === undefined || !isSpatial(type)) return placeholder(index, type);
  const system = referenceSystemOf(type);
  return `COALESCE(ST_GeomFromText(?/*${index} wkt*/, ?/*${index} srid ${system}*/), ?/*${index} unread*/)`;
}

const markPattern = /\?\/\*(\d+) (decimal|timestamp|bits|vector)\*\//g;

/** Matches the geometry placeholders of both servers, where one value becomes several parameters. */
const geometryPattern =
  /ST_GeomFromText\(\?\/\*(\d+) wkt\*\/, \?\/\*\1 srid (\d+)\*\/(?:, \?\/\*\1 (axes)\*\/\)|\), \?\/\*\1 unread\*\/)/g;

export function toParameters(text: string, params: readonly Value[]): readonly Parameter[] {
  const marked = new Map<number, MarkedKind>();
  for (const [, index, mark] of text.matchAll(markPattern))
    marked.set(Number(index) - 1, mark as MarkedKind);
  const geometries = new Map<number, GeometryPlaceholder>();
  for (const [, index, system, axes] of text.matchAll(geometryPattern))
    geometries.set(Number(index) - 1, { system: Number(system), hasAxes: axes !== undefined });
  return params.flatMap((value, i) => {
    const geometry = geometries.get(i);
    return geometry === undefined
      ? [toParameter(value, marked.get(i))]
      : geometryParameters(value, geometry);
  });
}

/** Invalid on purpose, so that the server rejects unreadable text without receiving it a second time. */
const noGeometry = 'no geometry';

interface GeometryPlaceholder {
  /** The SRID of the column, for text without one. */
  readonly system: number;
  readonly hasAxes: boolean;
}

function geometryParameters(
  value: Value,
  { system, hasAxes }: GeometryPlaceholder,
): readonly Parameter[] {
  const { wkt, srid, axisOrder } = parseEwkt(typeof value === 'string' ? value : '');
  if (!hasAxes && axisOrder === 'lat-long')
    throw new StudioError(
      'invalid_value',
      'MariaDB has no axis orders: write the longitude first.',
    );
  const text = toParameter(typeof value === 'string' ? wkt : value, undefined);
  const last = hasAxes
    ? textParameter(`axis-order=${axisOrder}`)
    : toParameter(value === null ? null : noGeometry, undefined);
  return [text, integerParameter(BigInt(srid ?? system)), last];
}

function toParameter(value: Value, mark: MarkedKind | undefined): Parameter {
  if (value === null) return { kind: 'null', value: null };
  if (typeof value === 'string')
    return mark === undefined ? textParameter(value) : markedReaders[mark](value);
  if (typeof value === 'boolean') return integerParameter(value ? 1n : 0n);
  if (typeof value === 'bigint') return integerParameter(value);
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) && !Object.is(value, -0)
      ? integerParameter(BigInt(value))
      : { kind: 'double', value };
  }
  return { kind: 'bytes', value: Buffer.from(value.buffer, value.byteOffset, value.byteLength) };
}

function integerParameter(value: bigint): Parameter {
  const unsigned = value >= 0n;
  const fits = unsigned ? BigInt.asUintN(64, value) === value : BigInt.asIntN(64, value) === value;
  return fits ? { kind: 'integer', value, unsigned } : { kind: 'decimal', value: String(value) };
}

const markedReaders: Readonly<Record<MarkedKind, (text: string) => Parameter>> = {
  // A text would be compared as a double. The server rejects a text that is not a number.
  decimal: (text) =>
    decimalPattern.test(text) ? { kind: 'decimal', value: text } : textParameter(text),
  timestamp: (text) => textParameter(inUtc(text)),
  bits: (text) =>
    /^[01]{1,64}$/.test(text) ? integerParameter(BigInt(`0b${text}`)) : textParameter(text),
  // The server rejects a text that is not a vector.
  vector: (text) => {
    const value = vectorBytes(text);
    return value === undefined ? textParameter(text) : { kind: 'bytes', value };
  },
};

const decimalPattern = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Rejects unpaired surrogates, which UTF-8 cannot encode and which would be replaced silently. */
function textParameter(text: string): Parameter {
  if (text.isWellFormed()) return { kind: 'text', value: text };
  throw new StudioError('invalid_value', 'MySQL cannot store text with half of a surrogate pair.');
}

const zonedPattern =
  /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(\.\d+)?(?:Z|([+-])(\d\d):?(\d\d)?)$/i;

/** Converts a timestamp with an offset to UTC without one; other texts stay as they are. */
export function inUtc(text: string): string {
  const [all, date = '', time = '', seconds = ':00', fraction = '', sign, hours, minutes = '00'] =
    zonedPattern.exec(text) ?? [];
  if (all === undefined) return text;
  const localMs = Date.parse(`${date}T${time}${seconds}Z`);
  if (Number.isNaN(localMs)) return text;
  const offsetMinutes =
    sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  return new Date(localMs - offsetMinutes * 60_000).toISOString().slice(0, 19) + fraction;
}
