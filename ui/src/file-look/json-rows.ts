import type { Cell } from '../../../src/contract/client.ts';
import { cellText } from '../cells/value-kind.ts';
import { rowsShown } from './file-look.ts';
import type { FileHead, FileLook } from './file-look.ts';

export type JsonRow = Readonly<Record<string, Cell>>;

export function isRow(item: unknown): item is JsonRow {
  return typeof item === 'object' && item !== null && !Array.isArray(item);
}

/** The columns of all the rows, in the order in which they are met. */
export function headOf(items: readonly unknown[]): FileHead {
  const rows = items.filter(isRow).slice(0, rowsShown);
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const textOf = (value: Cell | undefined): string | null =>
    value === undefined || value === null ? null : cellText(value);
  return { columns, rows: rows.map((row) => columns.map((name) => textOf(row[name]))) };
}

/** Of rows by the tables that a file names. */
export function tablesLook(rows: ReadonlyMap<string, readonly unknown[]>): FileLook {
  return { tables: [...rows].map(([table, items]) => ({ table, head: headOf(items) })) };
}
