/** Dates and times of spreadsheets, which are numbers of days (serial dates). */

const msPerDay = 86_400_000;
/** Day 60 is 1900-02-29, which does not exist (a bug of Lotus 1-2-3 that Excel keeps). Later days are off by one. */
const leapDay = 60;

interface SerialDate {
  /** `2026-01-31`; undefined for a time without a day. */
  readonly date: string | undefined;
  /** `13:05:00`, with milliseconds where there are any; undefined at midnight. */
  readonly time: string | undefined;
}

/**
 * A number below 1 whose format shows no day is a time without a date. In the 1900 system every number
 * below 1 is such a time, because its first day is 1. In the 1904 system the first day is 0.
 */
export function readSerial(
  serial: number,
  { from1904, isTimeStyle }: { readonly from1904: boolean; readonly isTimeStyle: boolean },
): SerialDate {
  const ms = Math.round(serial * msPerDay);
  const day = Math.floor(ms / msPerDay);
  const timeMs = ms - day * msPerDay;
  const isTime = serial >= 0 && serial < 1 && (isTimeStyle || !from1904);
  return {
    date: isTime ? undefined : dateOf(day, from1904),
    time: timeMs === 0 && !isTime ? undefined : timeOf(timeMs),
  };
}

function dateOf(day: number, from1904: boolean): string {
  if (!from1904 && day === leapDay) return '1900-02-29';
  const start = from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, day < leapDay ? 31 : 30);
  return new Date(start + day * msPerDay).toISOString().split('T')[0]!;
}

function timeOf(ms: number): string {
  return new Date(ms)
    .toISOString()
    .slice(11, 23)
    .replace(/\.000$/, '');
}

/** A duration, whose hours may exceed a day: `26:30:00`. */
export function readElapsed(serial: number): string {
  const ms = Math.round(Math.abs(serial) * msPerDay);
  const hours = Math.floor(ms / 3_600_000);
  const rest = timeOf(ms % 3_600_000).slice(2);
  return `${serial < 0 ? '-' : ''}${String(hours).padStart(2, '0')}${rest}`;
}
