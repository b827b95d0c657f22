/** Writes dates and times as the numbers that spreadsheets show as dates. */
import { dateTextOf } from './date-text.ts';
import { isDay } from '../cells/value-kind.ts';
import { leapDay, msPerDay, serialOf, ticksPerSecond } from './serial-date.ts';
import type { Column } from '../../model/schema.ts';

/** Returns undefined for a text that would not be read back exactly, which is written as text instead. */
type EncodeDateCell = (text: string, reference: string) => string | undefined;

const dayFormat = String.raw`yyyy\-mm\-dd`;

/**
 * The formats of the styles after the first one, which is that of all other cells. Spreadsheets show
 * up to three decimals of seconds, and have no time zones.
 */
const formatCodes = [
  dayFormat,
  `${dayFormat} hh:mm:ss`,
  `${dayFormat} hh:mm:ss.000`,
  `${dayFormat} hh:mm:ss"Z"`,
  `${dayFormat} hh:mm:ss.000"Z"`,
  'hh:mm:ss',
  'hh:mm:ss.000',
];

/** The id of the first format. Smaller ones are built in. */
const firstFormat = 164;

/** The content of the part that has the styles: ECMA-376 18.8.39. */
export function styleSheet(): string {
  const formats = formatCodes.map(
    (code, i) =>
      `<numFmt numFmtId="${firstFormat + i}" formatCode="${code.replaceAll('"', '&quot;')}"/>`,
  );
  const cellFormats = formatCodes.map(
    (_, i) =>
      `<xf numFmtId="${firstFormat + i}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
  );
  return [
    `<numFmts count="${formats.length}">${formats.join('')}</numFmts>`,
    '<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>',
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>',
    '<borders count="1"><border/></borders>',
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
    `<cellXfs count="${cellFormats.length + 1}"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>${cellFormats.join('')}</cellXfs>`,
  ].join('');
}

/** The width in characters of the longest date; a spreadsheet shows `####` in narrower columns. Undefined for columns without dates. */
export function dateColumnWidth({ type: { kind } }: Pick<Column, 'type'>): number | undefined {
  if (kind === 'date') return 12;
  if (kind === 'timestamp') return 26;
  return kind === 'time' ? 14 : undefined;
}

/** Year, month and day with a separator; hours, minutes, seconds and fraction; the zone. */
const pattern =
  /^(?:(\d{4})-(\d\d)-(\d\d)($|[T ]))?(?:([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,7}))?(Z)?)?$/;

/** Undefined for columns without dates. Dates before 1900-03-01 stay text: spreadsheets count them wrongly, or not at all. */
export function dateCellEncoder(
  column: Pick<Column, 'type' | 'dynamic'>,
): EncodeDateCell | undefined {
  if (dateColumnWidth(column) === undefined) return undefined;
  const isExact =
    column.dynamic === true ? (parts: DateParts) => readsBack(parts, column) : isOfType(column);
  return (text, reference) => {
    const match = pattern.exec(text);
    if (match === null) return undefined;
    const [, year, month, day, separator, hours, minutes, seconds, fraction, zone] = match;
    const hasDate = year !== undefined;
    const hasTime = hours !== undefined;
    const serialDay = hasDate ? dayOf(Number(year), Number(month), Number(day)) : 0;
    if (hasDate && !(serialDay > leapDay)) return undefined;
    const time = hasTime ? Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) : 0;
    const ticks =
      time * ticksPerSecond + (fraction === undefined ? 0 : Number(fraction.padEnd(7, '0')));
    const digits = serialOf(serialDay, ticks);
    const parts = { text, digits, hasDate, hasTime, separator, zone, fraction };
    if (!isExact(parts)) return undefined;
    return `<c r="${reference}" s="${styleIndex(parts)}"><v>${digits}</v></c>`;
  };
}

interface DateParts {
  readonly text: string;
  /** The serial date. */
  readonly digits: string;
  readonly hasDate: boolean;
  readonly hasTime: boolean;
  /** `T` or a space; the empty string after a date without a time. */
  readonly separator: string | undefined;
  readonly zone: string | undefined;
  readonly fraction: string | undefined;
}

/** NaN if there is no such day, or if it is long before those of spreadsheets. */
function dayOf(year: number, month: number, day: number): number {
  return year >= 1000 && isDay(year, month, day)
    ? Date.UTC(year, month - 1, day) / msPerDay + daysTo1970
    : NaN;
}

/** The serial date of 1970-01-01. */
const daysTo1970 = 25_569;

/** Whether an import reads the same date from the number: the text is of the form that JSON rows have. */
function isOfType({ type }: Pick<Column, 'type'>): (parts: DateParts) => boolean {
  if (type.kind === 'date') return ({ hasTime, separator }) => !hasTime && separator === '';
  if (type.kind === 'time')
    return ({ hasDate, hasTime, zone }) => !hasDate && hasTime && zone === undefined;
  const isUtc = type.kind === 'timestamp' && type.zone === true;
  return ({ hasDate, hasTime, separator, zone }) =>
    hasDate && hasTime && separator === 'T' && (zone !== undefined) === isUtc;
}

/** Whether an import reads this very text, for columns that store texts of any form. */
function readsBack(
  { text, digits, hasDate }: DateParts,
  column: Pick<Column, 'type' | 'dynamic'>,
): boolean {
  const style = hasDate ? 'timestamp' : 'time';
  return dateTextOf(digits, style, { column, from1904: false }) === text;
}

function styleIndex({ hasDate, hasTime, zone, fraction }: DateParts): number {
  if (!hasTime) return 1;
  const withFraction = fraction === undefined ? 0 : 1;
  if (!hasDate) return 6 + withFraction;
  return (zone === undefined ? 2 : 4) + withFraction;
}
