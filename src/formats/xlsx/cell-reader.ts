import { StudioError } from '../../model/errors.ts';
import { isExactDouble } from '../../model/json-number.ts';
import { readJsonValue } from '../../model/read-json-value.ts';
import { readElapsed, readSerial } from './serial-date.ts';
import type { Column, ColumnKind } from '../../model/schema.ts';
import type { Value } from '../../model/values.ts';
import type { ColumnReader } from '../column-readers.ts';
import type { DateStyle } from './date-styles.ts';
import type { Cell } from './read-sheet.ts';

export interface CellReaderOptions {
  readonly styles: readonly DateStyle[];
  readonly from1904: boolean;
}

/** Makes values of a column's cells; chosen once and used for every row. */
export function cellReader(
  column: Column,
  texts: ColumnReader,
  { styles, from1904 }: CellReaderOptions,
): (cell: Cell | undefined) => Value {
  return (cell) => {
    if (cell === undefined) return texts.empty;
    const { kind, text, style } = cell;
    if (kind === 'text') return text === '' ? texts.empty : texts.read(text);
    if (kind === 'error')
      throw new StudioError('invalid_value', `the cell holds the error ${text}.`);
    if (kind === 'boolean') return readBoolean(text, column, texts);
    const date = styles[style];
    const dateText = date && dateTextOf(text, date, { column, from1904 });
    return dateText === undefined ? readNumber(text, column, texts) : texts.read(dateText);
  };
}

const anyColumn = { type: { kind: 'text' } } as const;

/** A cell as a person reads it, whatever column it will go into; null where there is nothing. */
export function displayText(
  cell: Cell | undefined,
  { styles, from1904 }: CellReaderOptions,
): string | null {
  if (cell === undefined || cell.text === '') return null;
  const { kind, text, style } = cell;
  if (kind === 'boolean') return text === '1' ? 'true' : 'false';
  if (kind !== 'number') return text;
  const date = styles[style];
  const dateText = date && dateTextOf(text, date, { column: anyColumn, from1904 });
  return dateText ?? shortest(text);
}

/** Kinds that take a number for a number; others take its digits. */
const numberKinds: ReadonlySet<ColumnKind> = new Set([
  'integer',
  'decimal',
  'float',
  'boolean',
  'untyped',
]);

function readBoolean(text: string, column: Column, texts: ColumnReader): Value {
  if (column.type.kind === 'boolean') return texts.read(text);
  return numberKinds.has(column.type.kind)
    ? readNumber(text, column, texts)
    : texts.read(text === '1' ? 'true' : 'false');
}

function readNumber(text: string, column: Column, texts: ColumnReader): Value {
  const digits = shortest(text);
  if (!numberKinds.has(column.type.kind)) return texts.read(digits);
  return readJsonValue(
    { node: { kind: 'number', start: 0, end: 0, digits }, text: digits },
    column,
  );
}

/** Excel writes doubles with 17 digits, of which the last say nothing. */
function shortest(text: string): string {
  if (/^[+-]?\d+$/.test(text) || isExactDouble(text)) return text;
  const significant = text.replace(/e.*$/i, '').replaceAll(/\D/g, '').replace(/^0+/, '').length;
  const value = Number(text);
  return significant >= 16 && Number.isFinite(value) ? String(value) : text;
}

type DateColumn = Pick<Column, 'type' | 'dynamic'>;

interface DateContext {
  readonly column: DateColumn;
  readonly from1904: boolean;
}

/** What is left of a moment in the column's own words; undefined when the number is no moment. */
function dateTextOf(
  text: string,
  style: NonNullable<DateStyle>,
  { column, from1904 }: DateContext,
): string | undefined {
  const serial = Number(text);
  if (!Number.isFinite(serial) || Math.abs(serial) > latestDay) return undefined;
  const { kind } = column.type;
  if (style === 'elapsed' && kind !== 'date' && kind !== 'timestamp') return readElapsed(serial);
  const isTimeStyle = style === 'time' || kind === 'time';
  const { date, time } = readSerial(serial, { from1904, isTimeStyle });
  if (kind === 'date' && time === undefined) return date;
  if (kind === 'time' && date === undefined) return time;
  if (kind === 'timestamp' && date !== undefined)
    return momentText(date, time ?? '00:00:00', column);
  if (date === undefined || time === undefined) return date ?? time;
  return momentText(date, time, column);
}

/** The 31st of December 9999. */
const latestDay = 2_958_466;

function momentText(date: string, time: string, { type, dynamic }: DateColumn): string {
  if (dynamic === true) return `${date} ${time}`;
  return `${date}T${time}${type.kind === 'timestamp' && type.zone === true ? 'Z' : ''}`;
}
