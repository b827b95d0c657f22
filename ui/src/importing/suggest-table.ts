/** Suggests the table for the rows of a file. */

/** A file: its name and that of its sheet, and its columns if it has a header. */
export interface NamedFile {
  readonly names: readonly string[];
  readonly columns: readonly string[] | undefined;
}

export interface TableNames {
  readonly name: string;
  readonly columns: readonly { readonly name: string }[];
}

/**
 * Finds the table for a file: the table with the name of the file; else one whose name is part of
 * the file's name and that has at least half of its columns; else the only one, or the smallest,
 * that has all of its columns.
 */
export function suggestTable(
  { names, columns = [] }: NamedFile,
  tables: readonly TableNames[],
): string | undefined {
  const bases = names.map((name) => name.replace(/\.[^.]*$/, ''));
  const tablesNamedLikeFile = bases.flatMap(
    (base) => tables.find(({ name }) => plainName(name) === plainName(base)) ?? [],
  );
  if (tablesNamedLikeFile[0] !== undefined) return tablesNamedLikeFile[0].name;
  const parts = new Set(bases.flatMap(partsOf));
  const [longest] = tables
    .filter(({ name }) => parts.has(plainName(name)))
    .filter((table) => countMatches(columns, table) * 2 >= columns.length)
    .toSorted((a, b) => b.name.length - a.name.length);
  if (longest !== undefined || columns.length < 2) return longest?.name;
  const [smallest, next] = tables
    .filter((table) => countMatches(columns, table) === columns.length)
    .toSorted((a, b) => a.columns.length - b.columns.length);
  return smallest?.columns.length === next?.columns.length ? undefined : smallest?.name;
}

function countMatches(columns: readonly string[], table: TableNames): number {
  const columnNames = new Set(table.columns.map(({ name }) => plainName(name)));
  return columns.filter((name) => columnNames.has(plainName(name))).length;
}

/** The words of a name, and each sequence of them as one word: `new-order-items` contains `orderitems`. */
function partsOf(name: string): readonly string[] {
  const words = name.split(/[^\p{L}\p{N}]+/u).map(plainName);
  return words.flatMap((_, from) =>
    words.slice(from).map((_word, at) => words.slice(from, from + at + 1).join('')),
  );
}

/** Letters and digits only. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}
