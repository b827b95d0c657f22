import type { Cell } from '../../../../src/contract/client/client.ts';
import { NumberToken } from '../../../../src/contract/number-token.ts';
import type { Column } from '../../api/responses.ts';
import { isLargeInteger, isNumberColumn } from '../../cells/value-kind.ts';
import { findJsonError, readJsonText } from '../json-source.ts';
import { isNumberCell } from '../staged.ts';
import { editingTexts as texts } from '../../texts/editing.ts';

/** The value of a typed text, or why the text is not a value of the column. */
export type ParseResult = { readonly value: Cell } | { readonly problem: string };

/** The storage class of a value in an SQLite column that can hold several classes. */
export type StoredClass = 'number' | 'text';

/** What decides how a typed text is parsed. */
export interface TypingContext {
  readonly column: Column;
  /** The value that the text replaces. */
  readonly replaced?: Cell | undefined;
  /** The storage class that the user selected. The default is that of the replaced value. */
  readonly selectedClass?: StoredClass | undefined;
}

const singleClassKinds: ReadonlySet<string> = new Set([
  'json',
  'array',
  'boolean',
  'text',
  'enum',
  'uuid',
]);

/** Whether each value of a column has its own storage class, number or text. */
export function hasStorageClassPerValue({ column, replaced }: TypingContext): boolean {
  if (singleClassKinds.has(column.kind) || isNumberColumn(column)) return false;
  return column.kind === 'untyped' || isStoredNumber(replaced);
}

/** Returns the storage class of a typed text. */
export function storedClassOf({ replaced, selectedClass }: TypingContext): StoredClass {
  return selectedClass ?? (isStoredNumber(replaced) ? 'number' : 'text');
}

function isStoredNumber(value: Cell | undefined): boolean {
  return isNumberCell(value) || isLargeInteger(value);
}

/** Parses a typed text. Numbers stay strings of digits, because the server reads them exactly. */
export function readTyped(text: string, context: TypingContext): ParseResult {
  const { column } = context;
  if (column.kind === 'json' || column.kind === 'array') return readJson(text);
  if (isNumberColumn(column)) return textWhereTextWas(readNumber(text), text, context);
  if (column.kind === 'boolean') return textWhereTextWas(readBoolean(text), text, context);
  const isNumber =
    hasStorageClassPerValue(context) && storedClassOf(context) === 'number' && isNumberText(text);
  return { value: isNumber ? numberCell(text.trim(), context.replaced) : text };
}

/** An SQLite column of numbers can hold a text. Another text may replace it. */
function textWhereTextWas(
  read: ParseResult,
  text: string,
  { column, replaced }: TypingContext,
): ParseResult {
  if (!('problem' in read) || typeof replaced !== 'string') return read;
  const before = isNumberColumn(column) ? readNumber(replaced) : readBoolean(replaced);
  return 'problem' in before ? { value: text } : read;
}

export function isNumberText(text: string): boolean {
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text.trim());
}

/** An INTEGER beyond the range of a double needs the `$int` marker. A REAL keeps its decimal point. */
function numberCell(typed: string, replaced: Cell | undefined): Cell {
  const [, sign = '', integerDigits = '', remainingText = ''] =
    /^([+-]?)0*(\d*)(.*)$/.exec(typed) ?? [];
  const digits = `${sign === '-' ? '-' : ''}${integerDigits === '' ? '0' : integerDigits}${remainingText.replace(/^\.(?!\d)/, '.0')}`;
  if (remainingText !== '' || isReal(replaced))
    return new NumberToken(remainingText === '' ? `${digits}.0` : digits);
  return Number.isSafeInteger(Number(digits)) ? Number(digits) : { $int: digits };
}

/**
 * An integral REAL arrives with `.0` or an exponent. An INTEGER arrives without quotes if its digits
 * are the shortest form of a double, which can be beyond 2^53.
 */
function isReal(value: Cell | undefined): boolean {
  if (value instanceof NumberToken) return true;
  return typeof value === 'number' && !/^-?\d+$/.test(String(value));
}

function readNumber(text: string): ParseResult {
  const digits = text.trim();
  if (isNumberText(digits)) return { value: digits };
  if (/^-?(NaN|Infinity)$/.test(digits)) return { value: digits };
  return { problem: digits === '' ? texts.enterNumber : texts.notNumber };
}

function readJson(text: string): ParseResult {
  const syntaxError = findJsonError(text);
  if (syntaxError === undefined) return { value: readJsonText(text) };
  return { problem: texts.jsonError(syntaxError) };
}

const booleans = new Map([
  ['true', true],
  ['t', true],
  ['yes', true],
  ['1', true],
  ['false', false],
  ['f', false],
  ['no', false],
  ['0', false],
]);

function readBoolean(text: string): ParseResult {
  const value = booleans.get(text.trim().toLowerCase());
  return value === undefined ? { problem: texts.notBoolean } : { value };
}
