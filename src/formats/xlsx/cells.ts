import { StudioError } from '../../model/errors.ts';
import { textCellEncoder } from '../../model/text-cells.ts';
import { guardFormula } from '../guard-formula.ts';
import type { Column } from '../../model/schema.ts';
import type { Value } from '../../model/values.ts';
import type { FormulaGuard } from '../guard-formula.ts';

/** Writes a cell at a place (`B7`); nothing where there is nothing to show. */
export type EncodeCell = (value: Value, place: string) => string;

const longestText = 32_767;

/**
 * The writer of a column's cells. Numbers are numbers where a double prints as they are stored, and
 * text where it would not: digits beyond a double, trailing zeros that no scale gives back, -0. Dates are
 * text in ISO 8601, since Excel's know neither zones nor microseconds nor years before 1900.
 */
export function cellEncoder(column: Column, formulas: FormulaGuard): EncodeCell {
  const encode = textCellEncoder(column);
  const isNumber = numberKinds.has(column.type.kind);
  const guards = formulas === 'guarded';
  const keepsZeros = column.type.kind === 'decimal' && column.type.scale !== undefined;
  return (value, place) => {
    if (value === null || value === '') return '';
    const text = encode(value);
    if (text === 'true' || text === 'false') return flagCell(value, text, place);
    if (typeof value !== 'string')
      return isExact(text) ? numberCell(text, place) : textCell(text, place, column);
    if (isNumber && column.dynamic !== true) {
      if (isExact(text) || (keepsZeros && isExact(withoutZeros(text))))
        return numberCell(text, place);
      return textCell(text, place, column);
    }
    return textCell(guards ? guardFormula(text) : text, place, column);
  };
}

const numberKinds: ReadonlySet<string> = new Set(['integer', 'decimal', 'float']);

function flagCell(value: Value, text: string, place: string): string {
  return typeof value === 'string'
    ? `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`
    : `<c r="${place}" t="b"><v>${text === 'true' ? 1 : 0}</v></c>`;
}

function numberCell(digits: string, place: string): string {
  return `<c r="${place}"><v>${digits}</v></c>`;
}

/** Whether the number, read as a double, prints as these very digits. */
function isExact(digits: string): boolean {
  const value = Number(digits);
  return Number.isFinite(value) && String(value) === digits;
}

function withoutZeros(digits: string): string {
  return digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits;
}

function textCell(text: string, place: string, column: Pick<Column, 'name'>): string {
  if (text.length > longestText) throw tooLong(text, column);
  return `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;
}

function tooLong({ length }: string, { name }: Pick<Column, 'name'>): StudioError {
  return new StudioError(
    'invalid_value',
    `column "${name}" holds ${length} characters; a cell of a spreadsheet takes up to ${longestText}.`,
    { column: name },
  );
}

/** The first row of a sheet. */
export function headerCell(name: string, place: string, formulas: FormulaGuard): string {
  return textCell(formulas === 'raw' ? name : guardFormula(name), place, { name });
}

const needsEscape = /[&<>\p{Cc}\p{Surrogate}\uFFFE\uFFFF]|_x[\da-f]{4}_/iu;
const escaped = /[&<>\p{Surrogate}\uFFFE\uFFFF]|(?![\t\n])\p{Cc}|_(?=x[\da-f]{4}_)/giu;
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** What XML cannot say is `_x000D_`, as Office writes it, and what looks like that as well. */
export function xmlText(text: string): string {
  if (!needsEscape.test(text)) return text;
  return text.replaceAll(
    escaped,
    (character) =>
      entities[character] ??
      `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  );
}
