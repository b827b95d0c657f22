import { cellText } from '../cells/value-kind.ts';
import type { Column, Row, Table } from '../api/queries.ts';

/** Where a foreign key points: the table, and its columns' values. */
export interface Reference {
  readonly table: string;
  readonly key: Readonly<Record<string, string>>;
}

type ForeignKey = Table['foreign_keys'][number];

/** The narrowest foreign key that a column is part of. */
export function foreignKeyOf(table: Table, column: Pick<Column, 'name'>): ForeignKey | undefined {
  return table.foreign_keys
    .filter(({ columns }) => columns.includes(column.name))
    .toSorted((a, b) => a.columns.length - b.columns.length)[0];
}

/** Where a column's foreign key points; undefined when a part of it is NULL, which points nowhere. */
export function referenceOf(
  table: Table,
  column: Pick<Column, 'name'>,
  row: Row,
): Reference | undefined {
  const key = foreignKeyOf(table, column);
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

/** What the columns of a foreign key hold to point at a row. */
export function pointingAt(key: ForeignKey, target: Row): Row {
  return Object.fromEntries(
    key.columns.map((name, i) => [name, target[key.references.columns[i] ?? ''] ?? null]),
  );
}
