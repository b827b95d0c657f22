import { plainName } from './suggest-table.ts';
import type { Table } from '../api/responses.ts';

/** Maps columns of the file to columns of the table. Null skips the column. */
export type Mapping = Readonly<Record<string, string | null>>;

/** Matches columns by name, then by letters and digits only. Each column is matched once. */
export function suggestMapping(names: readonly string[], table: Table): Mapping {
  const free = new Set(
    table.columns.filter((column) => !column.is_generated).map(({ name }) => name),
  );
  const given = new Map<string, string>();
  for (const form of [(name: string) => name, plainName]) {
    for (const name of names) {
      const match = given.has(name)
        ? undefined
        : [...free].find((column) => form(column) === form(name));
      if (match === undefined) continue;
      given.set(name, match);
      free.delete(match);
    }
  }
  return Object.fromEntries(names.map((name) => [name, given.get(name) ?? null]));
}

/** Maps the columns of a file without a header to those of the table, in their order. */
export function mapByPosition(names: readonly string[], table: Table): Mapping {
  const columns = table.columns.filter((column) => !column.is_generated);
  return Object.fromEntries(names.map((name, i) => [name, columns[i]?.name ?? null]));
}
