import type { Cell } from '../../../src/contract/client.ts';
import type { Column } from '../api/queries.ts';
import { isNumberColumn } from '../cells/value-kind.ts';
import { findJsonFault, readJsonText } from './json-source.ts';

/** What was typed as a value of the column, or why it cannot be one. */
export type Typed = { readonly value: Cell } | { readonly problem: string };

/** Numbers stay the digits that were typed: the server reads them exactly. */
export function readTyped(text: string, column: Column): Typed {
  if (column.kind === 'json' || column.kind === 'array') return readJson(text);
  if (isNumberColumn(column)) return readNumber(text);
  if (column.kind === 'boolean') return readBoolean(text);
  return { value: text };
}

function readNumber(text: string): Typed {
  const digits = text.trim();
  if (/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(digits)) return { value: digits };
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
