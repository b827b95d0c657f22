/** Writes dates and numbers as a country writes them, for programs that read no other form. */
import type { Column } from '../../model/schema.ts';

export const dateForms = ['DD.MM.YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY'] as const;

export type DateForm = (typeof dateForms)[number];

export interface LocalStyle {
  /** Default: ISO 8601. */
  readonly dateForm?: DateForm | undefined;
  /** Default: a point. */
  readonly decimal?: 'comma' | undefined;
}

/**
 * Converts the text of a column's cell. Undefined for columns whose texts stay as they are. A text that
 * is no date of four-digit years or no plain number stays too: `infinity`, `1e21`.
 */
export function localCell(
  { type: { kind } }: Pick<Column, 'type'>,
  { dateForm, decimal }: LocalStyle,
): ((text: string) => string) | undefined {
  if (dateForm !== undefined && (kind === 'date' || kind === 'timestamp'))
    return (text) => localDate(text, dateForm);
  if (decimal === 'comma' && (kind === 'decimal' || kind === 'float'))
    return (text) => (plainNumber.test(text) ? text.replace('.', ',') : text);
  return undefined;
}

const plainNumber = /^-?\d*\.\d+$/;

/** A time of UTC loses its `Z`, as an import reads times without a zone in UTC. */
const isoDate = /^(?<year>[1-9]\d{3})-(?<month>\d\d)-(?<day>\d\d)(?:[T ](?<time>[\d:.]+)Z?)?$/;

function localDate(text: string, form: DateForm): string {
  const { year, month, day, time } = isoDate.exec(text)?.groups ?? {};
  if (year === undefined || month === undefined || day === undefined) return text;
  const date = form.replace('DD', day).replace('MM', month).replace('YYYY', year);
  return time === undefined ? date : `${date} ${time}`;
}
