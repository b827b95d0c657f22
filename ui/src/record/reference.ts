import { cellText } from '../cells/value-kind.ts';
import type { Column, Row, Table } from '../api/queries.ts';

/** The row that a foreign key references: its table and its key values. */
export interface Reference {
  readonly table: string;
  readonly key: Readonly<Record<string, string>>;
}

type ForeignKey = Table['foreign_keys'][number];

/** Returns the foreign key with the fewest columns that a column is part of. */
export function foreignKeyOf(table: Table, column: Pick<Column, 'name'>): ForeignKey | undefined {
  return table.foreign_keys
    .filter(({ columns }) => columns.includes(column.name))
    .toSorted((a, b) => a.columns.length - b.columns.length)[0];
}

/** Returns the row that a column references. Undefined if a column of the key is NULL, because SQL then references no row. */
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

/** Returns the values of the foreign key columns that reference a row. */
export function referencingValues(key: ForeignKey, target: Row): Row {
  return Object.fromEntries(
    key.columns.map((name, i) => [name, target[key.references.columns[i] ?? ''] ?? null]),
  );
}
