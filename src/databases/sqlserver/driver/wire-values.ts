/**
 * Reads protocol values without loss. The driver would convert decimals and money to doubles, and
 * dates and times to Date objects without an offset and with milliseconds only.
 * https://learn.microsoft.com/en-us/openspecs/windows_protocols/ms-tds/
 */
import {
  dateText,
  msOfParts,
  offsetTimestampText,
  timeText,
  timestampSince1900Text,
  timestampText,
} from '../../../sql/day-and-ticks.ts';
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

const lengthPrefixed = (read: WireReader['read']): WireReader => ({ lengthBytes: 1, read });

const fixed = (fixedLength: number, read: WireReader['read']): WireReader => ({
  lengthBytes: 0,
  fixedLength,
  read,
});

/** By the driver's type name. The driver reads all other types exactly. */
export const wireReaders: Readonly<Record<string, WireReader>> = {
  BigInt: fixed(8, readBigInt),
  IntN: lengthPrefixed((body) => (body.length === 8 ? readBigInt(body) : undefined)),
  DecimalN: lengthPrefixed(readDecimal),
  NumericN: lengthPrefixed(readDecimal),
  SmallMoney: fixed(4, readMoney),
  Money: fixed(8, readMoney),
  MoneyN: lengthPrefixed(readMoney),
  SmallDateTime: fixed(4, readDateTime),
  DateTime: fixed(8, readDateTime),
  DateTimeN: lengthPrefixed(readDateTime),
  Date: lengthPrefixed(readDate),
  Time: lengthPrefixed(readTime),
  DateTime2: lengthPrefixed(readDateTime2),
  DateTimeOffset: lengthPrefixed(readDateTimeOffset),
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
  const integerDigits = digits.slice(0, digits.length - scale);
  return scale === 0 ? sign + integerDigits : `${sign}${integerDigits}.${digits.slice(-scale)}`;
}

/** Days since 1900, then minutes, or parts of seconds. */
function readDateTime(body: Buffer): string {
  const isSmall = body.length === 4;
  const days = isSmall ? body.readUInt16LE() : body.readInt32LE();
  const ms = isSmall ? body.readUInt16LE(2) * 60_000 : msOfParts(body.readInt32LE(4));
  return timestampSince1900Text(days, ms);
}

function readDate(body: Buffer): string {
  return dateText(body.readUIntLE(0, 3));
}

/** Units of 10^-scale seconds. */
function readTime(body: Buffer, { scale }: WireType): string {
  return timeText(ticksOf(body, scale ?? 0));
}

function ticksOf(body: Buffer, scale: number): number {
  return body.readUIntLE(0, body.length) * 10 ** (7 - scale);
}

const dateBytes = 3;

function readDateTime2(body: Buffer, { scale }: WireType): string {
  const time = body.subarray(0, -dateBytes);
  return timestampText(body.readUIntLE(time.length, dateBytes), ticksOf(time, scale ?? 0));
}

const offsetBytes = 2;

/** The timestamp in UTC, and the offset in minutes. */
function readDateTimeOffset(body: Buffer, { scale }: WireType): string {
  const time = body.subarray(0, -dateBytes - offsetBytes);
  const days = body.readUIntLE(time.length, dateBytes);
  const offset = body.readInt16LE(body.length - offsetBytes);
  return offsetTimestampText(days, ticksOf(time, scale ?? 0), offset);
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
