/**
 * Texts of dates and times as SQL Server stores them: days since 0001-01-01, and ticks of 100 ns.
 * https://learn.microsoft.com/en-us/openspecs/windows_protocols/ms-tds/786f5b8a-f87d-4980-9070-b9b7274c681d
 */
const dayMs = 86_400_000;
const firstOf1900Ms = Date.UTC(1900, 0, 1);
const firstOf2000Ms = Date.UTC(2000, 0, 1);
/** Days from 0001-01-01. */
const daysTo2000 = 730_119;
const ticksPerSecond = 10_000_000;
const ticksPerMinute = 60 * ticksPerSecond;
export const ticksPerDay = 24 * 60 * ticksPerMinute;

export function dateText(days: number): string {
  return isoText(firstOf2000Ms + (days - daysTo2000) * dayMs).slice(0, 10);
}

/** Without trailing zeros in the fraction. */
export function timeText(ticks: number): string {
  const seconds = Math.floor(ticks / ticksPerSecond);
  const fraction = String(ticks % ticksPerSecond).padStart(7, '0');
  const clock = isoText(firstOf2000Ms + seconds * 1000).slice(11, 19);
  return withoutTrailingZeros(`${clock}.${fraction}`);
}

export function timestampText(days: number, ticks: number): string {
  return `${dateText(days)}T${timeText(ticks)}`;
}

/** Days and ticks are in UTC; the text has the local time, followed by the offset in minutes. */
export function offsetTimestampText(days: number, ticks: number, offset: number): string {
  const local = ticks + offset * ticksPerMinute;
  const localDays = days + Math.floor(local / ticksPerDay);
  const localTicks = ((local % ticksPerDay) + ticksPerDay) % ticksPerDay;
  return timestampText(localDays, localTicks) + offsetText(offset);
}

function offsetText(offset: number): string {
  if (offset === 0) return 'Z';
  const minutes = Math.abs(offset);
  const twoDigits = (value: number): string => String(value).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

/** Types from before DATETIME2 count days from 1900-01-01. */
export function timestampSince1900Text(days: number, ms: number): string {
  return withoutTrailingZeros(isoText(firstOf1900Ms + days * dayMs + ms));
}

/** Seconds have 300 parts, which are rounded to milliseconds. */
export function msOfParts(parts: number): number {
  return Math.round((parts * 10) / 3);
}

function isoText(ms: number): string {
  return new Date(ms).toISOString().slice(0, -1);
}

function withoutTrailingZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
