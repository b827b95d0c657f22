import { cellEncoder } from './json-cells.ts';
import type { ColumnInfo } from '../schema.ts';
import type { Value } from '../values.ts';

/** Writes one value that is not NULL as the text of a cell. */
export type EncodeTextCell = (value: Exclude<Value, null>) => string;

/**
 * The writer of a column's cells in formats whose cells are text (CSV, spreadsheets): binary as
 * `\x` and hex, JSON and arrays as their text, everything else as in JSON rows. `textReader` reads it.
 */
export function textCellEncoder(column: ColumnInfo): EncodeTextCell {
  const token = cellEncoder(column);
  const { kind } = column.type;
  const isBoolean = kind === 'boolean';
  // For these kinds, common numbers are written as their digits.
  const isPlain = !isBoolean && kind !== 'untyped' && kind !== 'binary';
  return (value) => {
    if (typeof value === 'string') return value;
    if (typeof value === 'number' && isPlain && isCommon(value)) return String(value);
    if (typeof value === 'object') return hexCell(value);
    return typeof value === 'bigint' && !isBoolean ? String(value) : bare(token(value));
  };
}

/** Excludes zero, which may be negative, unsafe integers and infinity. */
function isCommon(value: number): boolean {
  return (value > 0 && value < 2 ** 53) || (value < 0 && value > -(2 ** 53));
}

function hexCell(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;
}

/** Removes the quotes of numbers that JSON rows write as strings. */
function bare(token: string): string {
  return token.startsWith('"') ? token.slice(1, -1) : token;
}
