/** Reads texts of cells by the options of an import: NULL text, white space, and the formats of a country. */
import { cellConverter } from './cell-format.ts';
import type { CellColumn, CellFormat } from './cell-format.ts';

/** Reads the text of a cell that is not empty. */
type ReadText<T> = (text: string) => T;

/** Applies the options for texts of cells, in as few steps as they need. */
export function formattedReader<T>(
  column: CellColumn,
  read: ReadText<T>,
  format: CellFormat,
): ReadText<T | '' | null> {
  const { nullText, trim = false } = format;
  const empty = emptyValueOf(column);
  const convert = cellConverter(column, format);
  const readConverted: ReadText<T> = convert === undefined ? read : (text) => read(convert(text));
  if (nullText === undefined && !trim) return readConverted;
  return (text) => {
    const trimmed = trim ? text.trim() : text;
    if (trimmed === nullText) return null;
    return trimmed === '' && text !== '' ? empty : readConverted(trimmed);
  };
}

/** The value of a cell without text. */
export function emptyValueOf({ nullable, type }: CellColumn): '' | null {
  return !nullable && type.kind === 'text' ? '' : null;
}
