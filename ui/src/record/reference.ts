import { cellText } from '../cells/value-kind.ts';
import type { Column, Row, Table } from '../api/queries.ts';

/** Where a foreign key points: the table, and its columns' values. */
export interface Reference {
  readonly table: string;
  readonly key: Readonly<Record<string, string>>;
}

/** The narrowest foreign key of a column; undefined when a part of it is NULL, which points nowhere. */
export function referenceOf(table: Table, column: Column, row: Row): Reference | undefined {
  const key = table.foreign_keys
    .filter(({ columns }) => columns.includes(column.name))
    .toSorted((a, b) => a.columns.length - b.columns.length)[0];
  if (key === undefined) return undefined;
  const values = key.columns.map((name) => row[name] ?? null);
  if (values.includes(null)) return undefined;
  return {
    table: key.references.table,
    key: Object.fromEntries(
      key.references.columns.map((name, i) => [name, cellText(values[i] ?? null)]),
    ),
  };
}
