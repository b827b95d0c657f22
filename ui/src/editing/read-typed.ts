import type { Cell } from '../../../src/contract/client.ts';
import { NumberToken } from '../../../src/contract/number-token.ts';
import type { Column } from '../api/answers.ts';
import { isIntegerMark, isNumberColumn } from '../cells/value-kind.ts';
import { findJsonFault, readJsonText } from './json-source.ts';

/** What was typed as a value of the column, or why it cannot be one. */
export type Typed = { readonly value: Cell } | { readonly problem: string };

/** The class that SQLite stores a value in, in a column that takes several. */
export type StoredClass = 'number' | 'text';

/** What stands behind a typed text. */
export interface Typing {
  readonly column: Column;
  /** The value in whose place it was typed. */
  readonly replaced?: Cell | undefined;
  /** The class that the user chose; otherwise the typed value keeps that of the replaced one. */
  readonly chosen?: StoredClass | undefined;
}

const ownClassKinds: ReadonlySet<string> = new Set([
  'json',
  'array',
  'boolean',
  'text',
  'enum',
  'uuid',
]);

/** Whether a column keeps numbers and texts apart, value by value. */
export function keepsClasses({ column, replaced }: Typing): boolean {
  if (ownClassKinds.has(column.kind) || isNumberColumn(column)) return false;
  return column.kind === 'untyped' || isNumberCell(replaced);
}

/** The class that a typed text is stored in. */
export function classOf({ replaced, chosen }: Typing): StoredClass {
  return chosen ?? (isNumberCell(replaced) ? 'number' : 'text');
}

function isNumberCell(value: Cell | undefined): boolean {
  return typeof value === 'number' || value instanceof NumberToken || isIntegerMark(value);
}

/** Numbers stay the digits that were typed: the server reads them exactly. */
export function readTyped(text: string, typing: Typing): Typed {
  const { column } = typing;
  if (column.kind === 'json' || column.kind === 'array') return readJson(text);
  if (isNumberColumn(column)) return otherwiseText(readNumber(text), text, typing);
  if (column.kind === 'boolean') return otherwiseText(readBoolean(text), text, typing);
  const isNumber = keepsClasses(typing) && classOf(typing) === 'number' && isNumberText(text);
  return { value: isNumber ? numberCell(text.trim(), typing.replaced) : text };
}

/** In SQLite a column of numbers may hold a text, which another text may replace. */
function otherwiseText(read: Typed, text: string, { column, replaced }: Typing): Typed {
  if (!('problem' in read) || typeof replaced !== 'string') return read;
  const before = isNumberColumn(column) ? readNumber(replaced) : readBoolean(replaced);
  return 'problem' in before ? { value: text } : read;
}

export function isNumberText(text: string): boolean {
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text.trim());
}

/** An INTEGER beyond a double has a marker; a REAL keeps a point. */
function numberCell(typed: string, replaced: Cell | undefined): Cell {
  const [, sign = '', whole = '', rest = ''] = /^([+-]?)0*(\d*)(.*)$/.exec(typed) ?? [];
  const digits = `${sign === '-' ? '-' : ''}${whole === '' ? '0' : whole}${rest.replace(/^\.(?!\d)/, '.0')}`;
  if (rest !== '' || isReal(replaced)) return new NumberToken(rest === '' ? `${digits}.0` : digits);
  return Number.isSafeInteger(Number(digits)) ? Number(digits) : { $int: digits };
}

/** Integers that a double does not tell apart come as `{"$int": …}`. */
function isReal(value: Cell | undefined): boolean {
  if (value instanceof NumberToken) return true;
  return typeof value === 'number' && !Number.isSafeInteger(value);
}

function readNumber(text: string): Typed {
  const digits = text.trim();
  if (isNumberText(digits)) return { value: digits };
  if (/^-?(NaN|Infinity)$/.test(digits)) return { value: digits };
  return { problem: digits === '' ? 'Type a number, or choose NULL.' : 'This is not a number.' };
}

function readJson(text: string): Typed {
  const fault = findJsonFault(text);
  if (fault === undefined) return { value: readJsonText(text) };
  return { problem: `Line ${fault.line}, column ${fault.column}: ${fault.message}` };
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

function readBoolean(text: string): Typed {
  const value = booleans.get(text.trim().toLowerCase());
  return value === undefined ? { problem: 'This is neither true nor false.' } : { value };
}
