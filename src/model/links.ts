import { goFieldName, goReferenceName } from './go-names.ts';
import { identityOf } from './row-id.ts';
import type { ForeignKey, Index, Table } from './schema.ts';

/** A foreign key between two tables of the schema. Relations and their names are derived from it. */
export interface Link {
  readonly from: Table;
  readonly to: Table;
  readonly key: ForeignKey;
  /** The Go name of the reference: `Author`. Empty for a column named `id`. */
  readonly stem: string;
  /** The stem as a prefix of a table's name. If another key has the same stem, the names of all columns. */
  readonly prefix: string;
  /** Whether at most one row of `from` references a row of `to`. */
  readonly unique: boolean;
  /** Whether no other key of `from` references `to`. */
  readonly isOnlyKey: boolean;
  /** Whether `from` consists of two foreign keys that form its primary key. */
  readonly isJoinTable: boolean;
}

/** Ordered by table name, then by the position of the key's columns in the table, then by what they reference. */
export function linksOf(tables: readonly Table[]): readonly Link[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const ordered = tables.toSorted((a, b) => compareText(a.name, b.name));
  return ordered.flatMap((table) => linksFrom(table, byName));
}

function linksFrom(from: Table, tables: ReadonlyMap<string, Table>): readonly Link[] {
  const resolved = distinct(resolvedKeys(from, tables));
  const keys = resolved.map(({ key }) => key);
  const joining = isJoinTable(from, keys);
  return resolved.map(({ to, key }) => ({
    from,
    to,
    key,
    stem: stemOf(key, keys),
    prefix: prefixOf(key, keys),
    unique: isUnique(from, key.columns),
    isOnlyKey: keys.filter((other) => other.table === key.table).length === 1,
    isJoinTable: joining,
  }));
}

interface ResolvedKey {
  readonly to: Table;
  readonly key: ForeignKey;
}

/** Omits keys to tables or columns that the schema does not have. */
function resolvedKeys(from: Table, tables: ReadonlyMap<string, Table>): readonly ResolvedKey[] {
  const resolved = from.foreignKeys.flatMap((key) => {
    const to = tables.get(key.table);
    return to !== undefined && isResolvable(from, to, key) ? [{ to, key }] : [];
  });
  return resolved.toSorted((a, b) => compareKeys(from, a, b));
}

function isResolvable(from: Table, to: Table, { columns, referencedColumns }: ForeignKey): boolean {
  if (columns.length === 0 || columns.length !== referencedColumns.length) return false;
  const columnPositions = [...positions(from, columns), ...positions(to, referencedColumns)];
  return !columnPositions.includes(-1);
}

function compareKeys(from: Table, a: ResolvedKey, b: ResolvedKey): number {
  return (
    compareNumbers(positions(from, a.key.columns), positions(from, b.key.columns)) ||
    compareText(a.to.name, b.to.name) ||
    compareNumbers(
      positions(a.to, a.key.referencedColumns),
      positions(b.to, b.key.referencedColumns),
    ) ||
    compareText(a.key.name ?? '', b.key.name ?? '')
  );
}

/** Omits constraints that repeat an earlier one. */
function distinct(resolved: readonly ResolvedKey[]): readonly ResolvedKey[] {
  const byColumnPairs = Map.groupBy(resolved, ({ key }) => columnPairsOf(key));
  return [...byColumnPairs.values()].flatMap(([first]) => first ?? []);
}

function columnPairsOf(key: ForeignKey): string {
  const pairs = key.columns.map((column, i) => JSON.stringify([column, key.referencedColumns[i]]));
  return JSON.stringify([key.table, pairs.toSorted(compareText)]);
}

function stemOf(key: ForeignKey, keys: readonly ForeignKey[]): string {
  return goReferenceName(namingColumn(key, keys));
}

/** `author_id` and `author` have the same stem. The Go fields of all columns distinguish such keys. */
function prefixOf(key: ForeignKey, keys: readonly ForeignKey[]): string {
  const stem = stemOf(key, keys);
  const full = fullStem(key);
  const isAmbiguous = keys.some(
    (other) => stemOf(other, keys) === stem && fullStem(other) !== full,
  );
  return isAmbiguous ? full : stem;
}

function fullStem(key: ForeignKey): string {
  return key.columns.map(goFieldName).join('');
}

/** The first column that no other key of the table has: `author_id` rather than `tenant_id`. */
function namingColumn(key: ForeignKey, keys: readonly ForeignKey[]): string {
  const others = keys.filter((other) => other !== key).flatMap((other) => other.columns);
  return key.columns.find((column) => !others.includes(column)) ?? key.columns[0] ?? '';
}

function isJoinTable(table: Table, keys: readonly ForeignKey[]): boolean {
  const [firstKey, secondKey, ...more] = keys;
  if (firstKey === undefined || secondKey === undefined || more.length > 0) return false;
  const identity = identityOf(table);
  const covers = (columns: readonly string[]) =>
    table.columns.every(({ name }) => columns.includes(name));
  return (
    identity.kind === 'key' &&
    covers(identity.columns) &&
    covers([...firstKey.columns, ...secondKey.columns]) &&
    !covers(firstKey.columns) &&
    !covers(secondKey.columns)
  );
}

/** Whether the columns include those of the primary key, or of a unique index without a predicate. */
function isUnique(table: Table, columns: readonly string[]): boolean {
  const within = (column: string | undefined) => column !== undefined && columns.includes(column);
  if (table.primaryKey?.columns.every(within) === true) return true;
  return table.indexes.some(
    (index) => isUnconditional(index) && index.parts.every((part) => within(part.column)),
  );
}

function isUnconditional(index: Index): boolean {
  return index.unique && index.where === undefined && index.parts.length > 0;
}

function positions(table: Table, columns: readonly string[]): readonly number[] {
  return columns.map((name) => table.columns.findIndex((column) => column.name === name));
}

function compareNumbers(a: readonly number[], b: readonly number[]): number {
  const i = a.findIndex((value, at) => value !== b[at]);
  return i === -1 ? a.length - b.length : (a[i] ?? 0) - (b[i] ?? -1);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
