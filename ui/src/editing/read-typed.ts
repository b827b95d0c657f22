import { parseExactJson } from '../../../src/contract/number-token.ts';
import type { Cell } from '../../../src/contract/client.ts';
import type { Column } from '../api/queries.ts';
import { isNumberColumn } from '../cells/value-kind.ts';

/** What was typed as a value of the column, or why it cannot be one. */
export type Typed = { readonly value: Cell } | { readonly problem: string };

/** Numbers stay the digits that were typed: the server reads them exactly. */
export function readTyped(text: string, column: Column): Typed {
  if (column.kind === 'json' || column.kind === 'array') return readJson(text);
  if (isNumberColumn(column)) return readNumber(text);
  return { value: text };
}

function readNumber(text: string): Typed {
  const digits = text.trim();
  if (/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(digits)) return { value: digits };
  if (/^-?(NaN|Infinity)$/.test(digits)) return { value: digits };
  return { problem: digits === '' ? 'Type a number, or choose NULL.' : 'This is not a number.' };
}

function readJson(text: string): Typed {
  try {
    const value = parseExactJson(text) as Cell;
    return { value: value === null ? { $json: null } : value };
  } catch (error) {
    return { problem: `This is not JSON: ${(error as Error).message}` };
  }
}
