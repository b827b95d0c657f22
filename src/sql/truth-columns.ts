/** MySQL's TINYINT(1), which is BOOLEAN there too, in databases whose booleans are not numbers. */
import { mentions } from './adapt/adapt-columns.ts';
import type { Column, Schema, Table } from '../model/schema.ts';

/** TINYINT(1) columns that a default or a check of their table shows to be numbers become numbers. */
export function withEvidentNumbers(schema: Schema): Schema {
  const tables = schema.tables.map((table) => ({
    ...table,
    columns: table.columns.map((column) =>
      isTruth(column) && isEvidentNumber(table, column) ? asNumber(column) : column,
    ),
  }));
  return { ...schema, tables };
}

/** Whether it becomes a boolean, although it could hold other numbers. */
export function mayBecomeNumber(table: Table, column: Column): boolean {
  return isTruth(column) && !isEvidentNumber(table, column);
}

function isEvidentNumber({ checks }: Table, { name, default: value = '' }: Column): boolean {
  if (/^'?-?\d+'?$/.test(value) && !/^'?[01]'?$/.test(value)) return true;
  return checks.some(
    ({ expression }) => mentions(expression, name) && otherNumber.test(expression),
  );
}

const otherNumber = /(?<![\w.'])(?:[2-9]|\d{2,})\b/;

export function asNumber(column: Column): Column {
  return { ...column, type: { kind: 'integer', bits: 8 }, nativeType: 'tinyint' };
}

function isTruth({ type, nativeType }: Column): boolean {
  return type.kind === 'boolean' && /^tinyint\b/i.test(nativeType);
}
