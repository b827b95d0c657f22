/** The fixed current time of the demo, in ms. All dates in the data are earlier. */
export const now = Date.UTC(2026, 9, 1, 8, 0, 0);

export const minute = 60_000;
export const day = 24 * 60 * minute;

/** `2026-10-01` */
export function dateText(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** `2026-10-01 08:00:00`, as SQLite's CURRENT_TIMESTAMP writes it. */
export function timestampText(time: number): string {
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ');
}

/** `2026-10-01 10:00:00+02:00`: a timestamp with an offset from UTC in minutes. */
export function zonedText(time: number, aheadMinutes = 0): string {
  const ahead = Math.abs(aheadMinutes);
  const sign = aheadMinutes < 0 ? '-' : '+';
  return `${timestampText(time + aheadMinutes * minute)}${sign}${twoDigits(Math.floor(ahead / 60))}:${twoDigits(ahead % 60)}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
