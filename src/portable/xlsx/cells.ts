import { StudioError } from '../../model/errors.ts';
import { textCellEncoder } from '../../model/values/text-cells.ts';
import { dateCellEncoder } from './date-cells.ts';
import { guardFormula } from '../files/guard-formula.ts';
import type { Column } from '../../model/schema.ts';
import type { Value } from '../../model/values.ts';
import type { FormulaGuard } from '../files/guard-formula.ts';

/** Renders the cell with a reference (`B7`); the empty string for an empty cell. */
export type EncodeCell = (value: Value, reference: string) => string;

const maxTextLength = 32_767;

/**
 * Creates the renderer of a column's cells. A number becomes a numeric cell if a double prints the
 * same digits. Otherwise it becomes text: too many digits, trailing zeros without a scale, -0.
 */
export function cellEncoder(column: Column, formulas: FormulaGuard): EncodeCell {
  const encode = textCellEncoder(column);
  const dateCell = dateCellEncoder(column);
  const isNumber = numberKinds.has(column.type.kind);
  const isGuarded = formulas === 'guarded';
  const hasScale = column.type.kind === 'decimal' && column.type.scale !== undefined;
  return (value, reference) => {
    if (value === null || value === '') return '';
    const text = encode(value);
    if (text === 'true' || text === 'false') return flagCell(value, text, reference);
    if (typeof value !== 'string')
      return isExact(text) ? numberCell(text, reference) : textCell(text, reference, column);
    if (isNumber && column.dynamic !== true) {
      if (isExact(text) || (hasScale && isExact(withoutTrailingZeros(text))))
        return numberCell(text, reference);
      return textCell(text, reference, column);
    }
    return (
      dateCell?.(text, reference) ??
      textCell(isGuarded ? guardFormula(text) : text, reference, column)
    );
  };
}

const numberKinds: ReadonlySet<string> = new Set(['integer', 'decimal', 'float']);

function flagCell(value: Value, text: string, reference: string): string {
  return typeof value === 'string'
    ? `<c r="${reference}" t="inlineStr"><is><t>${text}</t></is></c>`
    : `<c r="${reference}" t="b"><v>${text === 'true' ? 1 : 0}</v></c>`;
}

function numberCell(digits: string, reference: string): string {
  return `<c r="${reference}"><v>${digits}</v></c>`;
}

/** Whether the number, as a double, prints exactly these digits. */
function isExact(digits: string): boolean {
  const value = Number(digits);
  return Number.isFinite(value) && String(value) === digits;
}

function withoutTrailingZeros(digits: string): string {
  return digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits;
}

function textCell(text: string, reference: string, column: Pick<Column, 'name'>): string {
  if (text.length > maxTextLength) throw tooLong(text, column);
  return `<c r="${reference}" t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;
}

function tooLong({ length }: string, { name }: Pick<Column, 'name'>): StudioError {
  return new StudioError(
    'invalid_value',
    `column "${name}" contains ${length} characters; a cell of a spreadsheet takes up to ${maxTextLength}.`,
    { column: name },
  );
}

/** A cell of the first row, which has the column names. */
export function headerCell(name: string, reference: string, formulas: FormulaGuard): string {
  return textCell(formulas === 'raw' ? name : guardFormula(name), reference, { name });
}

const needsEscape = /[&<>\p{Cc}\p{Surrogate}\uFFFE\uFFFF]|_x[\da-f]{4}_/iu;
const escaped = /[&<>\p{Surrogate}\uFFFE\uFFFF]|(?![\t\n])\p{Cc}|_(?=x[\da-f]{4}_)/giu;
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Escapes characters that XML cannot contain as Office does (`_x000D_`), and text that looks like such an escape. */
export function xmlText(text: string): string {
  if (!needsEscape.test(text)) return text;
  return text.replaceAll(
    escaped,
    (character) =>
      entities[character] ??
      `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  );
}
