/** What an import does to the rows of one table, as the documentation describes it: a model that the databases are compared with. */

export type Name = 'id' | 'u' | 'a' | 'b' | 'c' | 'n';
export type Values = Readonly<Record<Name, number | string | null>>;
export type Key = readonly Name[];

export interface ModelTable {
  readonly keys: readonly Key[];
  /** A text as the unique key of its column compares it. */
  readonly compare: (text: string) => string;
  /** The columns that an UPDATE checks: all, all if it changes one, or those that it sets. */
  readonly rechecks: 'all' | 'all if changed' | 'set';
  /** Whether a row with an existing key is checked before it is found to exist. */
  readonly checksFirst: boolean;
  /** Columns that no UPDATE sets. */
  readonly fixed: readonly Name[];
  readonly rows: readonly Values[];
}

export interface ModelFile {
  readonly columns: readonly Name[];
  readonly rows: readonly Values[];
  readonly onConflict: 'error' | 'skip' | 'update';
  readonly key: Key;
  readonly onError: 'abort' | 'skip';
  readonly mode: 'append' | 'replace';
}

export interface ModelOutcome {
  readonly rows: readonly Values[];
  /** Imported, updated and skipped rows. */
  readonly counts: readonly [number, number, number];
  /** Rows with errors by their number in the file, with the codes that each may have. */
  readonly errors: readonly { readonly row: number; readonly codes: readonly string[] }[];
}

/** This value violates the CHECK constraint of column n. */
export const violatingValue = 13;

export function importByModel(table: ModelTable, file: ModelFile): ModelOutcome {
  let rows = file.mode === 'replace' ? [] : [...table.rows];
  const counts: [number, number, number] = [0, 0, 0];
  const errors: { readonly row: number; readonly codes: readonly string[] }[] = [];
  for (const [i, row] of file.rows.entries()) {
    const found =
      file.onConflict === 'error' ? undefined : rows.find((each) => isSame(table, file.key, [each, row])); // prettier-ignore
    const set = file.columns.filter((name) => !file.key.includes(name) && !table.fixed.includes(name)); // prettier-ignore
    const next =
      found === undefined || file.onConflict === 'skip'
        ? row
        : { ...found, ...Object.fromEntries(set.map((name) => [name, row[name]])) };
    const others = rows.filter((each) => each !== found);
    const isUnchanged = found !== undefined && (file.onConflict === 'skip' || set.length === 0); // prettier-ignore
    const codes = [
      ...(found === undefined || table.checksFirst ? valueCodes(row, file.columns) : []),
      ...(isUnchanged || found === undefined ? [] : valueCodes(next, checkedColumns(table, set, [found, next]))), // prettier-ignore
      ...(!isUnchanged && others.some((each) => table.keys.some((key) => isSame(table, key, [each, next]))) ? ['unique_violation'] : []), // prettier-ignore
    ];
    if (codes.length > 0) {
      errors.push({ row: i + 1, codes });
      if (file.onError === 'abort') return { rows: table.rows, counts, errors };
      counts[2]++;
    } else if (isUnchanged) {
      counts[2]++;
    } else {
      rows = [...others, next];
      counts[found === undefined ? 0 : 1]++;
    }
  }
  return { rows, counts, errors };
}

function checkedColumns(
  { rechecks }: ModelTable,
  set: Key,
  [found, next]: readonly [Values, Values],
): Key {
  if (rechecks === 'set') return set;
  return rechecks === 'all' || set.some((name) => found[name] !== next[name]) ? ['n'] : [];
}

function isSame({ compare }: ModelTable, key: Key, [one, other]: readonly [Values, Values]): boolean {
  return key.every((name) => {
    const [left, right] = [one[name], other[name]];
    if (typeof left === 'string' && typeof right === 'string') return compare(left) === compare(right);
    return left !== null && left === right;
  });
} // prettier-ignore

function valueCodes({ n }: Values, columns: readonly Name[]): readonly string[] {
  if (!columns.includes('n')) return [];
  return n === null ? ['not_null_violation'] : n === violatingValue ? ['check_violation'] : [];
}
