/** Moments that a script writes in the time zone that it has set. */
import type { TimeZone } from '../../sql/script-settings.ts';

const plain = /^\s*(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(\.\d*)?)?)?\s*$/;
const zoned = /^\s*[\d-]+[ T][\d:.]+ ?(?:[+-]\d\d(?::?\d\d)*|Z|UTC|GMT)\s*$/i;
const endless = /^\s*(?:[+-]?infinity|epoch|0000-00-00(?: 00:00:00(?:\.0*)?)?)\s*$/i;

/** The text of the moment in UTC; undefined where that is not certain. */
export function toUtc(text: string, zone: TimeZone): string | undefined {
  if (zoned.test(text) || endless.test(text)) return text;
  const match = plain.exec(text);
  if (match === null) return undefined;
  const numbers = match.slice(1, 7).map((digits) => Number(digits ?? 0));
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = numbers;
  const local = Date.UTC(year, month - 1, day, hour, minute, second);
  const isReal = year >= 1000 && new Date(local).toISOString().startsWith(isoOf(numbers));
  const moment = isReal ? momentOf(local, zone) : undefined;
  if (moment === undefined) return undefined;
  return `${new Date(moment).toISOString().slice(0, 19).replace('T', ' ')}${match[7] ?? ''}`;
}

/** A day that does not exist would be another one. */
function isoOf([year, ...rest]: readonly number[]): string {
  const [month, day, hour, minute, second] = rest.map((n) => String(n).padStart(2, '0'));
  return `${String(year).padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}`;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** Before, and far ahead, databases of time zones differ. */
const surelyKnown = [Date.UTC(1971, 0, 1), Date.UTC(2037, 0, 1)] as const;

/** Undefined where clocks were put forward or back, and where it is not known. */
function momentOf(local: number, zone: TimeZone): number | undefined {
  if (typeof zone === 'number') return local - zone * minuteMs;
  if (local < surelyKnown[0] || local >= surelyKnown[1]) return undefined;
  const offsetAt = offsetsOf(zone);
  if (offsetAt === undefined) return undefined;
  const around = [offsetAt(local - dayMs), offsetAt(local + dayMs)];
  const moments = new Set(
    around.map((offset) => local - offset).filter((at) => at + offsetAt(at) === local),
  );
  return moments.size === 1 ? [...moments][0] : undefined;
}

type OffsetAt = (moment: number) => number;

const known = new Map<string, OffsetAt | undefined>();

function offsetsOf(zone: string): OffsetAt | undefined {
  if (!known.has(zone)) known.set(zone, findOffsets(zone));
  return known.get(zone);
}

/** Names alone: `+02` means the opposite in POSIX. */
function findOffsets(zone: string): OffsetAt | undefined {
  if (!/^[A-Za-z]+\/[\w/+-]+$/.test(zone)) return undefined;
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      timeZoneName: 'longOffset',
    });
    return (moment) => offsetIn(format, moment);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function offsetIn(format: Intl.DateTimeFormat, moment: number): number {
  const text = format.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value;
  const [, sign, hours = 0, minutes = 0] = /GMT([+-])(\d\d):(\d\d)/.exec(text ?? '') ?? [];
  const offset = (Number(hours) * 60 + Number(minutes)) * minuteMs;
  return sign === '-' ? -offset : offset;
}
