import type { Table } from '../api/queries.ts';

/** Maps columns of the file to columns of the table. Null skips the column. */
export type Mapping = Readonly<Record<string, string | null>>;

/** Matches columns by name, then by letters and digits only. Each column is matched once. */
export function suggestMapping(names: readonly string[], table: Table): Mapping {
  const free = new Set(
    table.columns.filter((column) => !column.is_generated).map(({ name }) => name),
  );
  const given = new Map<string, string>();
  for (const form of [(name: string) => name, plain]) {
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

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Finds the table with the same name as the file. */
export function suggestTable(
  fileName: string,
  tables: readonly { readonly name: string }[],
): string | undefined {
  const base = plain(fileName.replace(/\.[^.]*$/, ''));
  return tables.find(({ name }) => plain(name) === base)?.name;
}
