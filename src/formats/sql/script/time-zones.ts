/** Converts timestamps from the time zone that a script has set. */
import type { TimeZone } from '../../../sql/script-settings.ts';

const plain = /^\s*(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(\.\d*)?)?)?\s*$/;
const zoned = /^\s*[\d-]+[ T][\d:.]+ ?(?:[+-]\d\d(?::?\d\d)*|Z|UTC|GMT)\s*$/i;
const specialValue = /^\s*(?:[+-]?infinity|epoch|0000-00-00(?: 00:00:00(?:\.0*)?)?)\s*$/i;

/** The timestamp in UTC; undefined if that is not certain. */
export function toUtc(text: string, zone: TimeZone): string | undefined {
  if (zoned.test(text) || specialValue.test(text)) return text;
  const match = plain.exec(text);
  if (match === null) return undefined;
  const numbers = match.slice(1, 7).map((digits) => Number(digits ?? 0));
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = numbers;
  const local = Date.UTC(year, month - 1, day, hour, minute, second);
  const isReal = year >= 1000 && new Date(local).toISOString().startsWith(isoOf(numbers));
  const instant = isReal ? instantOf(local, zone) : undefined;
  if (instant === undefined) return undefined;
  return `${new Date(instant).toISOString().slice(0, 19).replace('T', ' ')}${match[7] ?? ''}`;
}

/** To detect dates that do not exist, which JavaScript turns into others. */
function isoOf([year, ...rest]: readonly number[]): string {
  const [month, day, hour, minute, second] = rest.map((n) => String(n).padStart(2, '0'));
  return `${String(year).padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}`;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** Versions of the time zone database agree within this range. */
const certainRange = [Date.UTC(1971, 0, 1), Date.UTC(2037, 0, 1)] as const;

/** Undefined for local times that occur twice or never (daylight saving time), and for unknown zones. */
function instantOf(local: number, zone: TimeZone): number | undefined {
  if (typeof zone === 'number') return local - zone * minuteMs;
  if (local < certainRange[0] || local >= certainRange[1]) return undefined;
  const offsetAt = offsetsOf(zone);
  if (offsetAt === undefined) return undefined;
  const around = [offsetAt(local - dayMs), offsetAt(local + dayMs)];
  const instants = new Set(
    around.map((offset) => local - offset).filter((at) => at + offsetAt(at) === local),
  );
  return instants.size === 1 ? [...instants][0] : undefined;
}

type OffsetAt = (instant: number) => number;

const offsetCache = new Map<string, OffsetAt | undefined>();

function offsetsOf(zone: string): OffsetAt | undefined {
  if (!offsetCache.has(zone)) offsetCache.set(zone, findOffsets(zone));
  return offsetCache.get(zone);
}

/** Accepts names only: `+02` means the opposite in POSIX. */
function findOffsets(zone: string): OffsetAt | undefined {
  if (!/^[A-Za-z]+\/[\w/+-]+$/.test(zone)) return undefined;
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      timeZoneName: 'longOffset',
    });
    return (instant) => offsetIn(format, instant);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function offsetIn(format: Intl.DateTimeFormat, instant: number): number {
  const text = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value;
  const [, sign, hours = 0, minutes = 0] = /GMT([+-])(\d\d):(\d\d)/.exec(text ?? '') ?? [];
  const offset = (Number(hours) * 60 + Number(minutes)) * minuteMs;
  return sign === '-' ? -offset : offset;
}
