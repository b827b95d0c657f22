/** The value that an error of a row shows: as the text of a cell, of bounded length. */
import { startOfText } from './cut-text.ts';
import { textCellEncoder } from './text-cells.ts';
import type { ColumnInfo } from '../schema.ts';
import type { Value } from '../values.ts';

const maxRejectedLength = 200;

/** A longer text ends with an ellipsis. Lone surrogates, which JSON and SQL can write, are replaced. */
export function rejectedText(text: string): string {
  const isLong = text.length > maxRejectedLength;
  const excerpt = isLong ? `${startOfText(text, maxRejectedLength)}…` : text;
  return excerpt.toWellFormed();
}

/** Null is NULL. */
export function rejectedValue(value: Value, column: ColumnInfo): string | null {
  if (value === null) return null;
  const start = value instanceof Uint8Array ? value.subarray(0, maxRejectedLength) : value;
  return rejectedText(textCellEncoder(column)(start));
}
