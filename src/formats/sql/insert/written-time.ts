/** Recognizes the texts that the database of a file itself writes for dates and times. */
import type { TimeSyntax } from '../../../sql/expression/syntax.ts';
import type { TimeType } from '../../../sql/expression/time-literal.ts';

/** Whether a text is one that the database writes for values of the type, with `T` or a blank before the time. */
export function writtenTime(type: TimeType, times: TimeSyntax): (text: string) => boolean {
  if (type.kind === 'date') return dayForm('', times);
  const clock = clockPattern(type, times);
  if (type.kind === 'timestamp') return dayForm(`[T ]${clock}`, times);
  const form = new RegExp(`^${clock}$`);
  return (text) => form.test(text);
}

function clockPattern(
  { kind, precision, zone }: Exclude<TimeType, { readonly kind: 'date' }>,
  times: TimeSyntax,
): string {
  const digits = precision ?? times.digits;
  const fraction = digits === 0 ? '' : String.raw`(?:\.\d{1,${digits}})?`;
  const offset = zone === true ? String.raw` ?(?:Z|[+-]\d\d(?::?\d\d){0,2})?` : '';
  const isDuration = kind === 'time' && times.takesDurations;
  const hours = isDuration ? String.raw`-?\d{2,3}` : String.raw`(?:[01]\d|2[0-3])`;
  const clock = String.raw`${hours}:[0-5]\d:[0-5]\d${fraction}`;
  // PostgreSQL writes the end of a day as 24:00:00.
  return `${kind === 'time' ? `(?:${clock}|24:00:00)` : clock}${offset}`;
}

function dayForm(time: string, { takesZeroDates }: TimeSyntax): (text: string) => boolean {
  // PostgreSQL writes years before Christ with a suffix.
  const form = new RegExp(String.raw`^(\d{4})-(\d\d)-(\d\d)${time}(?: BC)?$`);
  return (text) => {
    const [date, year = '', month = '', day = ''] = form.exec(text) ?? [];
    if (date === undefined || month > '12' || day > '31') return false;
    const hasZero = year === '0000' || month === '00' || day === '00';
    return hasZero ? takesZeroDates : day <= '28' || Number(day) <= lastDayOf(year, month);
  };
}

function lastDayOf(year: string, month: string): number {
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month), 0);
  return date.getUTCDate();
}
