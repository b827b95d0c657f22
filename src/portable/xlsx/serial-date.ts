/** Dates and times of spreadsheets, which are numbers of days (serial dates). */

export const msPerDay = 86_400_000;
/** Of a millisecond, and of a second: the unit of exact times, the finest that a database has. */
const ticksPerMs = 10_000;
export const ticksPerSecond = 1000 * ticksPerMs;
const ticksPerDay = BigInt(msPerDay * ticksPerMs);
/** Day 60 is 1900-02-29, which does not exist (a bug of Lotus 1-2-3 that Excel keeps). Later days are off by one. */
export const leapDay = 60;

interface SerialDate {
  /** `2026-01-31`; undefined for a time without a day. */
  readonly date: string | undefined;
  /** `13:05:00`, with a fraction of three, six or seven digits where there is one; undefined at midnight. */
  readonly time: string | undefined;
}

/** Decimals of a serial date that is exact. Spreadsheet programs write as many as a double has, which is fewer. */
const exactDecimals = 20;

interface DayAndTicks {
  readonly day: number;
  readonly ticks: number;
}

/** A double has noise below a millisecond; a number with more decimals than that is exact. */
function dayAndTicksOf(digits: string): DayAndTicks {
  const [, wholeDays = '', decimals = ''] = /^(\d+)\.(\d{20,})$/.exec(digits) ?? [];
  if (decimals === '') {
    const ms = Math.round(Number(digits) * msPerDay);
    const day = Math.floor(ms / msPerDay);
    return { day, ticks: (ms - day * msPerDay) * ticksPerMs };
  }
  const ticks = roundedQuotient(BigInt(decimals) * ticksPerDay, 10n ** BigInt(decimals.length));
  return {
    day: Number(wholeDays) + Number(ticks / ticksPerDay),
    ticks: Number(ticks % ticksPerDay),
  };
}

function roundedQuotient(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor / 2n) / divisor;
}

/** The number of a day and a time of day in the 1900 system: a double if its digits are enough, otherwise exact. */
export function serialOf(day: number, ticks: number): string {
  if (ticks % ticksPerMs === 0) return String(day + ticks / ticksPerMs / msPerDay);
  const decimals = roundedQuotient(BigInt(ticks) * 10n ** BigInt(exactDecimals), ticksPerDay);
  return `${day}.${String(decimals).padStart(exactDecimals, '0')}`;
}

/**
 * A number below 1 whose format shows no day is a time without a date. In the 1900 system every number
 * below 1 is such a time, because its first day is 1. In the 1904 system the first day is 0.
 */
export function readSerial(
  digits: string,
  { from1904, isTimeStyle }: { readonly from1904: boolean; readonly isTimeStyle: boolean },
): SerialDate {
  const serial = Number(digits);
  const { day, ticks } = dayAndTicksOf(digits);
  const isTime = serial >= 0 && serial < 1 && (isTimeStyle || !from1904);
  return {
    date: isTime ? undefined : dateOf(day, from1904),
    time: ticks === 0 && !isTime ? undefined : timeOf(ticks),
  };
}

function dateOf(day: number, from1904: boolean): string {
  if (!from1904 && day === leapDay) return '1900-02-29';
  const start = from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, day < leapDay ? 31 : 30);
  return new Date(start + day * msPerDay).toISOString().split('T')[0]!;
}

function timeOf(ticks: number): string {
  const seconds = new Date(Math.floor(ticks / ticksPerMs)).toISOString().slice(11, 19);
  const fraction = String(ticks % ticksPerSecond).padStart(7, '0');
  return `${seconds}.${fraction}`.replace(/\.0{7}$|0{4}$|0$/, '');
}

/** A duration, whose hours may exceed a day: `26:30:00`. */
export function readElapsed(serial: number): string {
  const ms = Math.round(Math.abs(serial) * msPerDay);
  const hours = Math.floor(ms / 3_600_000);
  const rest = timeOf((ms % 3_600_000) * ticksPerMs).slice(2);
  return `${serial < 0 ? '-' : ''}${String(hours).padStart(2, '0')}${rest}`;
}
