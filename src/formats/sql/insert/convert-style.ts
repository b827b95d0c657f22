/** Dates in the styles of CONVERT: `CONVERT(datetime, '12/31/2020', 101)`. */
import { textValue } from '../values/literals.ts';
import type { CastType, SqlValue } from '../values/literals.ts';

interface Converted {
  readonly type: CastType;
  readonly value: SqlValue;
}

/**
 * The value whose cast to the type does not depend on a style. Undefined if only the server can convert it.
 * https://learn.microsoft.com/en-us/sql/t-sql/functions/cast-and-convert-transact-sql
 */
export function valueOfStyle(style: SqlValue, { type, value }: Converted): SqlValue | undefined {
  if (/CHAR$|TEXT$/.test(type.name))
    return value.kind === 'text' || value.kind === 'wide' ? value : undefined;
  const order = style.kind === 'number' ? orders.get(style.digits) : undefined;
  if (order === undefined || value.kind !== 'text' || !/^(?:SMALL)?DATE/.test(type.name))
    return undefined;
  const { day, month, year, time = '' } = order.exec(value.raw)?.groups ?? {};
  if (day === undefined || month === undefined || year === undefined) return undefined;
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (type.name === 'DATE') return time === '' ? textValue(date) : undefined;
  const clock = time === '' ? '00:00:00' : time.length === 5 ? `${time}:00` : time;
  return textValue(`${date}T${clock}`);
}

const time = String.raw`(?:[T ](?<time>\d\d:\d\d(?::\d\d(?:\.\d{1,7})?)?))?`;
const monthFirst = new RegExp(
  String.raw`^(?<month>\d\d?)(?<mark>[-/.])(?<day>\d\d?)\k<mark>(?<year>\d{4})${time}$`,
);
const dayFirst = new RegExp(
  String.raw`^(?<day>\d\d?)(?<mark>[-/.])(?<month>\d\d?)\k<mark>(?<year>\d{4})${time}$`,
);
const yearFirst = new RegExp(
  String.raw`^(?<year>\d{4})(?<mark>[-/.]?)(?<month>\d\d)\k<mark>(?<day>\d\d)${time}$`,
);

/** By the number of the style. */
const orders: ReadonlyMap<string, RegExp> = new Map([
  ...['101', '110'].map((style) => [style, monthFirst] as const),
  ...['103', '104', '105'].map((style) => [style, dayFirst] as const),
  ...['20', '21', '23', '25', '102', '111', '112', '120', '121', '126'].map(
    (style) => [style, yearFirst] as const,
  ),
]);
