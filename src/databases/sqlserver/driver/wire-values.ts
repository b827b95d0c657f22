/**
 * Reads protocol values without loss. The driver would convert decimals and money to doubles, and
 * dates and times to Date objects without an offset and with milliseconds only.
 * https://learn.microsoft.com/en-us/openspecs/windows_protocols/ms-tds/
 */
import type { Value } from '../../../model/values.ts';

/** The type of a value in the protocol. */
export interface WireType {
  readonly name: string;
  readonly scale: number | undefined;
}

/** How values of a type are read. Values of variable length are preceded by `lengthBytes` bytes with the length. */
export interface WireReader {
  readonly lengthBytes: 0 | 1 | 4;
  readonly fixedLength?: number;
  /** Returns undefined if the driver reads the value exactly. */
  read(body: Buffer, type: WireType): Value | undefined;
}

const counted = (read: WireReader['read']): WireReader => ({ lengthBytes: 1, read });

const fixed = (fixedLength: number, read: WireReader['read']): WireReader => ({
  lengthBytes: 0,
  fixedLength,
  read,
});

/** By the driver's type name. The driver reads all other types exactly. */
export const wireReaders: Readonly<Record<string, WireReader>> = {
  BigInt: fixed(8, readBigInt),
  IntN: counted((body) => (body.length === 8 ? readBigInt(body) : undefined)),
  DecimalN: counted(readDecimal),
  NumericN: counted(readDecimal),
  SmallMoney: fixed(4, readMoney),
  Money: fixed(8, readMoney),
  MoneyN: counted(readMoney),
  SmallDateTime: fixed(4, readDateTime),
  DateTime: fixed(8, readDateTime),
  DateTimeN: counted(readDateTime),
  Date: counted(readDate),
  Time: counted(readTime),
  DateTime2: counted(readDateTime2),
  DateTimeOffset: counted(readDateTimeOffset),
  Variant: { lengthBytes: 4, read: readVariant },
};

function readBigInt(body: Buffer): bigint {
  return body.readBigInt64LE();
}

/** A sign byte, then the digits as a little-endian integer. */
function readDecimal(body: Buffer, { scale }: WireType): string {
  const digits = BigInt(`0x${Buffer.from(body.subarray(1).toReversed()).toString('hex')}`);
  return withPoint(body[0] === 0 ? -digits : digits, scale ?? 0);
}

const moneyScale = 4;

/** In eight bytes, the upper four come first. */
function readMoney(body: Buffer): string {
  if (body.length === 4) return withPoint(BigInt(body.readInt32LE()), moneyScale);
  return withPoint(
    BigInt(body.readInt32LE()) * 2n ** 32n + BigInt(body.readUInt32LE(4)),
    moneyScale,
  );
}

function withPoint(value: bigint, scale: number): string {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  const sign = value < 0n ? '-' : '';
  const whole = digits.slice(0, digits.length - scale);
  return scale === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-scale)}`;
}

const dayMs = 86_400_000;
const firstOf1900Ms = Date.UTC(1900, 0, 1);
const firstOf2000Ms = Date.UTC(2000, 0, 1);
/** Days from 0001-01-01. */
const daysTo2000 = 730_119;

/** Days since 1900, then minutes, or 1/300 seconds, which are rounded to milliseconds. */
function readDateTime(body: Buffer): string {
  const isSmall = body.length === 4;
  const days = isSmall ? body.readUInt16LE() : body.readInt32LE();
  const ms = isSmall ? body.readUInt16LE(2) * 60_000 : Math.round((body.readInt32LE(4) * 10) / 3);
  return withoutNeedlessZeros(isoText(firstOf1900Ms + days * dayMs + ms));
}

function isoText(ms: number): string {
  return new Date(ms).toISOString().slice(0, -1);
}

function withoutNeedlessZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

function readDate(body: Buffer): string {
  return dateText(body.readUIntLE(0, 3));
}

function dateText(days: number): string {
  return isoText(firstOf2000Ms + (days - daysTo2000) * dayMs).slice(0, 10);
}

/** Units of 10^-scale seconds. */
function readTime(body: Buffer, { scale }: WireType): string {
  return timeText(ticksOf(body, scale ?? 0));
}

const ticksPerSecond = 10_000_000;

function ticksOf(body: Buffer, scale: number): number {
  return body.readUIntLE(0, body.length) * 10 ** (7 - scale);
}

function timeText(ticks: number): string {
  const seconds = Math.floor(ticks / ticksPerSecond);
  const fraction = String(ticks % ticksPerSecond).padStart(7, '0');
  const clock = isoText(firstOf2000Ms + seconds * 1000).slice(11, 19);
  return withoutNeedlessZeros(`${clock}.${fraction}`);
}

const dateBytes = 3;

function readDateTime2(body: Buffer, { scale }: WireType): string {
  const time = body.subarray(0, -dateBytes);
  return `${dateText(body.readUIntLE(time.length, dateBytes))}T${timeText(ticksOf(time, scale ?? 0))}`;
}

const offsetBytes = 2;
const ticksPerMinute = 60 * ticksPerSecond;
const ticksPerDay = 24 * 60 * ticksPerMinute;

/** The timestamp in UTC, and the offset in minutes. */
function readDateTimeOffset(body: Buffer, { scale }: WireType): string {
  const time = body.subarray(0, -dateBytes - offsetBytes);
  const offset = body.readInt16LE(body.length - offsetBytes);
  const local = ticksOf(time, scale ?? 0) + offset * ticksPerMinute;
  const days = body.readUIntLE(time.length, dateBytes) + Math.floor(local / ticksPerDay);
  const ticks = ((local % ticksPerDay) + ticksPerDay) % ticksPerDay;
  return `${dateText(days)}T${timeText(ticks)}${offsetText(offset)}`;
}

function offsetText(minutes: number): string {
  if (minutes === 0) return 'Z';
  const of60 = Math.abs(minutes);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(of60 / 60))}:${two(of60 % 60)}`;
}

/** The type number, the number of property bytes, the properties, then the value. */
function readVariant(body: Buffer): Value | undefined {
  const [number = 0, properties = 0] = body;
  const value = body.subarray(2 + properties);
  return variantReaders[number]?.(value, { name: '', scale: body[1 + properties] });
}

/** Integers become bigints to distinguish them from floats. The driver reads all other types exactly. */
const variantReaders: Readonly<Record<number, WireReader['read']>> = {
  0x30: (body) => BigInt(body.readUInt8()),
  0x34: (body) => BigInt(body.readInt16LE()),
  0x38: (body) => BigInt(body.readInt32LE()),
  0x7f: readBigInt,
  0x6a: readDecimal,
  0x6c: readDecimal,
  0x7a: readMoney,
  0x3c: readMoney,
  0x3a: readDateTime,
  0x3d: readDateTime,
  0x28: readDate,
  0x29: readTime,
  0x2a: readDateTime2,
  0x2b: readDateTimeOffset,
};
