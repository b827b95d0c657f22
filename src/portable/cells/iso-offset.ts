/** Offsets of timestamps that are not written as in ISO 8601 (`+02:00`, `Z`), as programs write them. */

/** With or without minutes and a colon, also after a blank. BigQuery writes UTC. */
const offset = String.raw` ?(?:(Z|UTC)|([+-])(?:(0\d|1[0-3]):?([0-5]\d)?|(14)(?::?00)?))$`;

/** What follows the time of day in a timestamp with an offset. */
export const offsetPattern = new RegExp(offset);

const zonedTimestamp = new RegExp(
  String.raw`^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)${offset}`,
);

/** Writes the offset of a timestamp as in ISO 8601, with the same instant: `+00` as `+00:00`, ` UTC` as `Z`. Other texts stay. */
export function withIsoOffset(text: string): string {
  const [, time, utc, sign = '', hours, minutes = '00', lastHours = ''] =
    zonedTimestamp.exec(text) ?? [];
  if (time === undefined) return text;
  return utc === undefined ? `${time}${sign}${hours ?? lastHours}:${minutes}` : `${time}Z`;
}

export function hasOtherOffset(text: string): boolean {
  return withIsoOffset(text) !== text;
}
