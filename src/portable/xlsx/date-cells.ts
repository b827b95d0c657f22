/** Writes dates and times as the numbers that spreadsheets show as dates. */
import { dateTextOf } from './date-text.ts';
import { leapDay, msPerDay, serialOf, ticksPerSecond } from './serial-date.ts';
import type { Column } from '../../model/schema.ts';

/** Returns undefined for a text that would not be read back exactly, which is written as text instead. */
type EncodeDateCell = (text: string, reference: string) => string | undefined;

const day = String.raw`yyyy\-mm\-dd`;

/**
 * The formats of the styles after the first one, which is that of all other cells. Spreadsheets show
 * up to three decimals of seconds, and have no time zones.
 */
const formatCodes = [
  day,
  `${day} hh:mm:ss`,
  `${day} hh:mm:ss.000`,
  `${day} hh:mm:ss"Z"`,
  `${day} hh:mm:ss.000"Z"`,
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

const pattern =
  /^(?:(?<date>\d{4}-\d\d-\d\d)(?=$|[T ])[T ]?)?(?:(?<hours>\d\d):(?<minutes>\d\d):(?<seconds>\d\d)(?:\.(?<fraction>\d{1,7}))?(?<zone>Z?))?$/;

/** Undefined for columns without dates. Dates before 1900-03-01 stay text: spreadsheets count them wrongly, or not at all. */
export function dateCellEncoder(
  column: Pick<Column, 'type' | 'dynamic'>,
): EncodeDateCell | undefined {
  if (dateColumnWidth(column) === undefined) return undefined;
  return (text, reference) => {
    const { date, hours, minutes, seconds, fraction = '', zone } = pattern.exec(text)?.groups ?? {};
    const daysFrom1900 = date === undefined ? 0 : Date.parse(date) / msPerDay + daysTo1970;
    if (Number.isNaN(daysFrom1900) || (date !== undefined && daysFrom1900 <= leapDay))
      return undefined;
    const time = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
    const digits = serialOf(daysFrom1900, time * ticksPerSecond + Number(fraction.padEnd(7, '0')));
    const readText = dateTextOf(digits, date === undefined ? 'time' : 'timestamp', {
      column,
      from1904: false,
    });
    if (readText === undefined || !isSameDate(readText, text, column)) return undefined;
    const style = styleIndex({ date, hours, zone, hasFraction: fraction !== '' });
    return `<c r="${reference}" s="${style}"><v>${digits}</v></c>`;
  };
}

/** The serial date of 1970-01-01. */
const daysTo1970 = 25_569;

/** Zeros at the end of a fraction have no meaning, except in columns that may store the text itself. */
function isSameDate(a: string, b: string, { dynamic }: Pick<Column, 'dynamic'>): boolean {
  return a === b || (dynamic !== true && withoutLastZeros(a) === withoutLastZeros(b));
}

function withoutLastZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+(?=Z?$)/, '') : text;
}

interface DateParts {
  readonly date: string | undefined;
  readonly hours: string | undefined;
  readonly zone: string | undefined;
  readonly hasFraction: boolean;
}

function styleIndex({ date, hours, zone, hasFraction }: DateParts): number {
  if (hours === undefined) return 1;
  if (date === undefined) return hasFraction ? 7 : 6;
  return (zone === 'Z' ? 4 : 2) + (hasFraction ? 1 : 0);
}
