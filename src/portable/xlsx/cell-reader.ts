import { StudioError } from '../../model/errors.ts';
import { isExactDouble, isSameNumber } from '../../model/values/json-number.ts';
import { readJsonValue } from '../../model/values/read-json-value.ts';
import { dateTextOf } from './date-text.ts';
import type { Column, ColumnKind } from '../../model/schema.ts';
import type { Value } from '../../model/values.ts';
import type { CellFormat } from '../cells/cell-format.ts';
import type { ColumnReader } from '../files/column-reader.ts';
import type { DateStyle } from './date-styles.ts';
import type { Cell } from './read-sheet.ts';

export interface CellReaderOptions {
  readonly styles: readonly DateStyle[];
  readonly from1904: boolean;
  /** Called with each number that is no date. */
  readonly onNumber?: (digits: string) => void;
  /** Errors such as `#N/A` are rejected: NULL would replace the value of an existing row. */
  readonly rejectsErrors?: boolean;
  /** Called with each error that is read as NULL. */
  readonly onError?: (error: string) => void;
}

/** Creates a function that converts the cells of a column to values. It is created once and called for every row. */
export function cellReader(
  column: Column,
  textReader: ColumnReader,
  { styles, from1904, rejectsErrors, onNumber, onError }: CellReaderOptions,
): (cell: Cell | undefined) => Value {
  const isErrorNull = column.nullable && rejectsErrors !== true;
  return (cell) => {
    if (cell === undefined) return textReader.empty;
    const { kind, text, style } = cell;
    if (kind === 'text') return text === '' ? textReader.empty : textReader.read(text);
    if (kind === 'error' && isErrorNull) {
      onError?.(text);
      return null;
    }
    if (kind === 'error' || kind === 'damaged') throw cellError(cell, column);
    if (kind === 'formula')
      throw new StudioError(
        'invalid_value',
        'the file does not have the result of the formula. Open the workbook in a spreadsheet program and save it.',
      );
    if (kind === 'boolean') return readBoolean(text, column, textReader);
    const date = styles[style];
    const dateText = date && dateTextOf(text, date, { column, from1904 });
    if (dateText !== undefined) return textReader.read(dateText);
    onNumber?.(text);
    return readNumber(text, column, textReader);
  };
}

function cellError({ kind, text }: Cell, { name, nullable }: Column): StudioError {
  const consequence = nullable
    ? 'which would replace the value of an existing row with NULL'
    : `which means no value, and column "${name}" takes no NULL`;
  const reason = kind === 'error' ? `the error ${text}, ${consequence}` : text;
  return new StudioError('invalid_value', `the cell contains ${reason}.`);
}

const anyColumn = { type: { kind: 'text' } } as const;

/** A cell's text for a preview, without a target column; null for an empty cell and for an error. */
export function displayText(
  cell: Cell | undefined,
  { styles, from1904 }: CellReaderOptions,
): string | null {
  if (cell === undefined || cell.text === '' || cell.kind === 'error') return null;
  const { kind, text, style } = cell;
  if (kind === 'boolean') return text === '1' ? 'true' : 'false';
  if (kind !== 'number') return text;
  const date = styles[style];
  const dateText = date && dateTextOf(text, date, { column: anyColumn, from1904 });
  return dateText ?? shortestDigits(text);
}

interface CellTextOptions extends CellReaderOptions {
  /** How texts have numbers. */
  readonly decimal?: CellFormat['decimal'];
}

/**
 * The text that a column reads the same value from as from the cell. An empty cell is the empty text, and so is
 * an error that is read as NULL.
 */
export function cellText(
  cell: Cell | undefined,
  column: Column | undefined,
  { styles, from1904, decimal, rejectsErrors }: CellTextOptions,
): string {
  if (cell === undefined) return '';
  const { kind, text, style } = cell;
  if (kind === 'error') return column?.nullable === false || rejectsErrors === true ? text : '';
  const { type } = column ?? anyColumn;
  if (kind === 'boolean' && !isNumberOf(type.kind)) return text === '1' ? 'true' : 'false';
  if (kind !== 'number' || text === '') return text;
  const date = styles[style];
  const dateText = date && dateTextOf(text, date, { column: column ?? anyColumn, from1904 });
  if (dateText !== undefined) return dateText;
  const digits = shortestDigits(text);
  return numberKinds.has(type.kind) ? localNumber(digits, decimal) : digits;
}

/** A number with three decimals could be one with a character between thousands. A zero rules that out. */
function localNumber(digits: string, decimal: CellFormat['decimal']): string {
  const number = /\.\d{3}$/.test(digits) ? `${digits}0` : digits;
  return decimal === 'comma' && !/e/i.test(digits) ? number.replace('.', ',') : number;
}

/** Whether a preview shows a number as a date or time. */
export function isDate(cell: Cell | undefined, { styles, from1904 }: CellReaderOptions): boolean {
  const style = cell?.kind === 'number' ? styles[cell.style] : undefined;
  if (cell === undefined || style === undefined) return false;
  return dateTextOf(cell.text, style, { column: anyColumn, from1904 }) !== undefined;
}

/** Kinds that take numbers; the others get the digits as text. */
const numberKinds: ReadonlySet<ColumnKind> = new Set([
  'integer',
  'decimal',
  'float',
  'boolean',
  'untyped',
]);

function readBoolean(text: string, column: Column, textReader: ColumnReader): Value {
  // As text, true is not 1, which may be the text of NULL.
  return isNumberOf(column.type.kind)
    ? readNumber(text, column, textReader)
    : textReader.read(text === '1' ? 'true' : 'false');
}

/** Whether a column has the number of a boolean cell. */
function isNumberOf(kind: ColumnKind): boolean {
  return kind !== 'boolean' && numberKinds.has(kind);
}

function readNumber(text: string, column: Column, textReader: ColumnReader): Value {
  const digits = shortestDigits(text);
  if (!numberKinds.has(column.type.kind)) return textReader.read(digits);
  return readJsonValue(
    { node: { kind: 'number', start: 0, end: 0, digits }, text: digits },
    column,
  );
}

/**
 * Excel writes doubles with 17 digits, openpyxl with 16, the last of which are noise: returns the fewest digits of
 * the same double. Other digits that a double does not have come from other programs, and stay.
 */
function shortestDigits(text: string): string {
  if (/^[+-]?\d+$/.test(text) || isExactDouble(text)) return text;
  const value = Number(text);
  const isNoise =
    Number.isFinite(value) &&
    noisyPrecisions.some((precision) => isSameNumber(text, value.toPrecision(precision)));
  return isNoise ? String(value) : text;
}

const noisyPrecisions = [16, 17] as const;

/** Errors such as `#N/A` are no values. */
export function hasValue(cell: Cell | undefined): boolean {
  return cell !== undefined && cell.text !== '' && cell.kind !== 'error';
}
