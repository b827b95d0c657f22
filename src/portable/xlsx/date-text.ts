/** Reads the numbers of cells that spreadsheets show as dates or times. */
import { readElapsed, readSerial } from './serial-date.ts';
import type { Column } from '../../model/schema.ts';
import type { DateStyle } from './date-styles.ts';

type DateColumn = Pick<Column, 'type' | 'dynamic'>;

interface DateContext {
  readonly column: DateColumn;
  readonly from1904: boolean;
}

/** The date or time of a number, in the form of the column's type; undefined if the number is neither. */
export function dateTextOf(
  text: string,
  style: NonNullable<DateStyle>,
  { column, from1904 }: DateContext,
): string | undefined {
  const serial = Number(text);
  if (!Number.isFinite(serial) || Math.abs(serial) > maxSerial) return undefined;
  const { kind } = column.type;
  if (style === 'elapsed' && kind !== 'date' && kind !== 'timestamp') return readElapsed(serial);
  const isTimeStyle = style === 'time' || kind === 'time';
  const { date, time } = readSerial(text, { from1904, isTimeStyle });
  if (kind === 'date' && time === undefined) return date;
  if (kind === 'time' && date === undefined) return time;
  if (kind === 'timestamp' && date !== undefined)
    return timestampText(date, time ?? '00:00:00', column);
  if (date === undefined || time === undefined) return date ?? time;
  return timestampText(date, time, column);
}

/** Serial number of 9999-12-31, the last day that spreadsheets know. */
const maxSerial = 2_958_466;

function timestampText(date: string, time: string, { type, dynamic }: DateColumn): string {
  if (dynamic === true) return `${date} ${time}`;
  return `${date}T${time}${type.kind === 'timestamp' && type.zone === true ? 'Z' : ''}`;
}
