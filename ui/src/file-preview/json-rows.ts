import type { Cell } from '../../../src/contract/client/client.ts';
import { cellText } from '../cells/value-kind.ts';
import { rowsShown } from './file-preview.ts';
import type { FileHead, FilePreview } from './file-preview.ts';

export type JsonRow = Readonly<Record<string, Cell>>;

export function isRow(item: unknown): item is JsonRow {
  return typeof item === 'object' && item !== null && !Array.isArray(item);
}

/** Returns the first rows, with the columns of all of them in order of appearance. */
export function headOf(items: readonly unknown[]): FileHead {
  const rows = items.filter(isRow).slice(0, rowsShown);
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const textOf = (value: Cell | undefined): string | null =>
    value === undefined || value === null ? null : cellText(value);
  return { columns, rows: rows.map((row) => columns.map((name) => textOf(row[name]))) };
}

/** Returns the preview of a file that names its tables. `areParts`: the user may select other tables. */
export function previewTables(
  rows: ReadonlyMap<string, readonly unknown[]>,
  { areParts }: { readonly areParts: boolean },
): FilePreview {
  const tables = [...rows].map(([table, items]) => ({
    table,
    head: headOf(items),
    ...(areParts && { part: table }),
  }));
  return { tables };
}
