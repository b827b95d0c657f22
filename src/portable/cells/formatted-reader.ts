/** Reads texts of cells by the options of an import: NULL text, white space, and the formats of a country. */
import { cellConverter } from './cell-format.ts';
import type { CellColumn, CellFormat } from './cell-format.ts';
import type { ColumnKind } from '../../model/schema.ts';

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
  const readFilled: ReadText<T> = convert === undefined ? read : (text) => read(convert(text));
  const readConverted: ReadText<T | null> = readsEmptyAsNull(column, format)
    ? (text) => (text === '' ? null : readFilled(text))
    : readFilled;
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

/** Kinds without an empty text. The empty binary value is `\x`, the empty array `[]` or `{}`. */
const kindsWithoutEmptyText: ReadonlySet<ColumnKind> = new Set([
  ...(['boolean', 'integer', 'decimal', 'float'] as const),
  ...(['date', 'time', 'timestamp', 'interval'] as const),
  ...(['uuid', 'json', 'array', 'binary'] as const),
]);

/** Whether an empty text in quotes is NULL: programs that quote every field write NULL so. */
export function readsEmptyAsNull(
  { type, fileType = type, dynamic }: CellColumn,
  { isEmptyTextMissing }: CellFormat,
): boolean {
  return (
    kindsWithoutEmptyText.has(fileType.kind) && (dynamic !== true || isEmptyTextMissing === true)
  );
}
