import { plainName } from './suggest-table.ts';
import type { Table } from '../api/responses.ts';

/** Maps columns of the file to columns of the table. Null skips the column. */
export type Mapping = Readonly<Record<string, string | null>>;

/** Matches columns by name, then by letters and digits only. Each column is matched once. */
export function suggestMapping(names: readonly string[], table: Table): Mapping {
  const unmapped = new Set(
    table.columns.filter((column) => !column.is_generated).map(({ name }) => name),
  );
  const columnOfName = new Map<string, string>();
  for (const normalize of [(name: string) => name, plainName]) {
    for (const name of names) {
      const match = columnOfName.has(name)
        ? undefined
        : [...unmapped].find((column) => normalize(column) === normalize(name));
      if (match === undefined) continue;
      columnOfName.set(name, match);
      unmapped.delete(match);
    }
  }
  return Object.fromEntries(names.map((name) => [name, columnOfName.get(name) ?? null]));
}

/** Maps the columns of a file without a header to those of the table, in their order. */
export function mapByPosition(names: readonly string[], table: Table): Mapping {
  const columns = table.columns.filter((column) => !column.is_generated);
  return Object.fromEntries(names.map((name, i) => [name, columns[i]?.name ?? null]));
}
