import type { Column, ColumnKind } from '../../../model/schema.ts';
import type { Value } from '../../../model/values.ts';

const numericKinds: ReadonlySet<ColumnKind> = new Set(['integer', 'decimal', 'float']);

/**
 * The values that a parameter's text can mean in a column. Whole numbers are INTEGER if they fit into
 * 64 bits, others REAL. In other columns the text is used as it is, because SQLite applies the column's
 * affinity when it compares. A column without affinity may store the text, the number, or the bytes that
 * the text is base64url of.
 */
export function readParameter(text: string, column: Column): readonly Value[] {
  const { kind } = column.type;
  if (column.autoIncrement === true) return present(readRowId(text));
  if (kind === 'boolean') return present(readBoolean(text));
  if (numericKinds.has(kind)) return present(readNumber(text));
  if (kind === 'untyped') return [text, ...present(readNumber(text)), ...present(readBytes(text))];
  if (kind === 'binary') return [...present(readBytes(text)), text, ...present(readNumber(text))];
  return [text];
}

function present(value: Value | undefined): readonly Value[] {
  return value === undefined ? [] : [value];
}

/** An INTEGER PRIMARY KEY stores only 64-bit integers. */
function readRowId(text: string): bigint | undefined {
  const value = readInteger(text);
  return value !== undefined && fitsInteger(value) ? value : undefined;
}

export function readBoolean(text: string): Value | undefined {
  if (/^true$/i.test(text)) return 1n;
  return /^false$/i.test(text) ? 0n : readNumber(text);
}

export function readNumber(text: string): number | bigint | undefined {
  const integer = readInteger(text);
  if (integer !== undefined) return fitsInteger(integer) ? integer : Number(text);
  if (/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return Number(text);
  return /^-?Infinity$/.test(text) ? Number(text) : undefined;
}

function readInteger(text: string): bigint | undefined {
  return /^[+-]?\d+$/.test(text) ? BigInt(text.replace(/^\+/, '')) : undefined;
}

function fitsInteger(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}

export function readBytes(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}
