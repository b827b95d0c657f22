/**
 * Reads dates and times of SQL Server in binary form, as older versions of its tools script them:
 * `CAST(0x0000A94F00000000 AS DateTime)`.
 * https://learn.microsoft.com/en-us/openspecs/windows_protocols/ms-tds/786f5b8a-f87d-4980-9070-b9b7274c681d
 */
import {
  dateText,
  msOfParts,
  offsetTimestampText,
  ticksPerDay,
  timeText,
  timestampSince1900Text,
  timestampText,
} from '../../../sql/day-and-ticks.ts';
import { textValue } from './literals.ts';
import type { SqlValue } from './literals.ts';

/** Undefined if the bytes are not a value of the type. */
export function timeOfBytes(typeName: string, bytes: Buffer): SqlValue | undefined {
  const read = Object.hasOwn(readers, typeName) ? readers[typeName] : undefined;
  const text = read?.(bytes);
  return text === undefined ? undefined : textValue(text);
}

const readers: Readonly<Record<string, (bytes: Buffer) => string | undefined>> = {
  DATETIME: datetimeText,
  SMALLDATETIME: datetimeText,
  DATE: (bytes) => (bytes.length === dateBytes ? dateText(bytes.readUIntLE(0, dateBytes)) : undefined), // prettier-ignore
  TIME: (bytes) => {
    const ticks = ticksOf(bytes);
    return ticks === undefined ? undefined : timeText(ticks);
  },
  DATETIME2: (bytes) => {
    const ticks = ticksOf(bytes.subarray(0, -dateBytes));
    return ticks === undefined
      ? undefined
      : timestampText(bytes.readUIntLE(bytes.length - dateBytes, dateBytes), ticks);
  },
  DATETIMEOFFSET: datetimeoffsetText,
};

const msPerDay = 86_400_000;
const dateBytes = 3;
const offsetBytes = 2;

/** Eight bytes are days since 1900 and 1/300 s of the day; four bytes are days and minutes. */
function datetimeText(bytes: Buffer): string | undefined {
  const isShort = bytes.length === 4;
  if (!isShort && bytes.length !== 8) return undefined;
  const days = isShort ? bytes.readUInt16BE(0) : bytes.readInt32BE(0);
  const ms = isShort ? bytes.readUInt16BE(2) * 60_000 : msOfParts(bytes.readUInt32BE(4));
  return ms < msPerDay ? timestampSince1900Text(days, ms) : undefined;
}

/** The first byte is the number of fractional digits, the others count units of the last of them. */
function ticksOf(bytes: Buffer): number | undefined {
  const [digits = 8] = bytes;
  const size = digits <= 2 ? 3 : digits <= 4 ? 4 : 5;
  if (digits > 7 || bytes.length !== size + 1) return undefined;
  const ticks = bytes.readUIntLE(1, size) * 10 ** (7 - digits);
  return ticks < ticksPerDay ? ticks : undefined;
}

/** The date and time are in UTC; the offset is in minutes. */
function datetimeoffsetText(bytes: Buffer): string | undefined {
  const utc = ticksOf(bytes.subarray(0, -dateBytes - offsetBytes));
  if (utc === undefined) return undefined;
  const offset = bytes.readInt16LE(bytes.length - offsetBytes);
  if (Math.abs(offset) > 14 * 60) return undefined;
  const days = bytes.readUIntLE(bytes.length - dateBytes - offsetBytes, dateBytes);
  return offsetTimestampText(days, utc, offset);
}
