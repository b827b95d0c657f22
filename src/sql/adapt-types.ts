import { referencedColumns } from './adapt-keys.ts';
import type { Column, ColumnType, ForeignKey, Table } from '../model/schema.ts';
import type { Adaptation } from './adaptation.ts';

/** The tables with types that their keys can have, and of which a key's can point at each other. */
export function adaptTypes(tables: readonly Table[], adaptation: Adaptation): readonly Table[] {
  const targets = referencedKeys(tables, adaptation);
  const fitted = tables.map((table) => fitKeys(table, targets.get(table.name) ?? [], adaptation));
  const byName = new Map([
    ...adaptation.tables,
    ...fitted.map((table) => [table.name, table] as const),
  ]);
  const aligned = fitted.map((table) => alignTypes(table, { ...adaptation, tables: byName }));
  return aligned.map((table) => fitRow(table, targets.get(table.name) ?? [], adaptation));
}

type Columns = readonly string[];

/** What foreign keys point at, by table. */
function referencedKeys(
  tables: readonly Table[],
  { tables: all }: Adaptation,
): ReadonlyMap<string, readonly Columns[]> {
  const keys = tables.flatMap((table) => table.foreignKeys);
  const byTarget = Map.groupBy(keys, ({ table }) => table);
  return new Map(
    [...byTarget].map(([name, of]) => {
      const target = all.get(name);
      return [name, target === undefined ? [] : of.map((key) => referencedColumns(key, target))];
    }),
  );
}

/** Texts without an end are cut to what a key takes. */
function fitKeys(table: Table, referenced: readonly Columns[], { ddl, warn }: Adaptation): Table {
  const keys = [...ownKeys(table, referenced), ...table.foreignKeys.map(({ columns }) => columns)];
  const fit = (column: Column): Column => {
    const sizes = keys.filter((key) => key.includes(column.name)).map((key) => key.length);
    const longest = sizes.length === 0 ? undefined : ddl.maxKeyTextLength(Math.max(...sizes));
    if (longest === undefined || !isLonger(column.type, longest)) return column;
    warn(`${table.name}.${column.name} takes at most ${longest} characters: it is part of a key.`);
    const kind = column.type.kind === 'binary' ? 'binary' : 'text';
    return { ...column, type: { kind, length: longest }, nativeType: '' };
  };
  return { ...table, columns: table.columns.map(fit) };
}

/** What rows are told apart by, and what other tables point at. */
function ownKeys(table: Table, referenced: readonly Columns[]): readonly Columns[] {
  const unique = table.indexes
    .filter((index) => index.unique)
    .map(({ parts }) => parts.flatMap(({ column }) => column ?? []));
  return [table.primaryKey?.columns ?? [], ...unique, ...referenced];
}

/** The longest texts lose their lengths, until the others fit into a row: at last those of foreign keys, and with them the keys. */
function fitRow(table: Table, referenced: readonly Columns[], { ddl, warn }: Adaptation): Table {
  const { maxRowTextLength: longestRowText = Infinity } = ddl;
  const unsized = new Set<string>();
  let rest = table.columns.reduce((sum, column) => sum + lengthOf(column) + besideText, 0);
  for (const column of unsizeable(table, referenced)) {
    if (rest <= longestRowText) break;
    rest -= lengthOf(column);
    unsized.add(column.name);
    warn(`${table.name}.${column.name} may have any length: a row cannot have so many characters.`);
  }
  const columns = table.columns.map((column) =>
    unsized.has(column.name)
      ? { ...column, type: { kind: 'text' } as const, nativeType: '' }
      : column,
  );
  const foreignKeys = table.foreignKeys.filter((key) => {
    const isLost = key.columns.some((name) => unsized.has(name));
    const named = `${table.name}: the foreign key (${key.columns.join(', ')})`;
    if (isLost) warn(`${named} is left out: a text of any length can be none.`);
    return !isLost;
  });
  return { ...table, columns, foreignKeys };
}

function lengthOf({ type }: Column): number {
  return type.kind === 'text' ? (type.length ?? 0) : 0;
}

/** What else a column takes of a row, in characters: its length, a number, where a long text is. */
const besideText = 4;

/** Texts that may lose their lengths, the longest first, and those of foreign keys behind all others. */
function unsizeable(table: Table, referenced: readonly Columns[]): readonly Column[] {
  const kept = new Set(ownKeys(table, referenced).flat());
  const pointing = new Set(table.foreignKeys.flatMap(({ columns }) => columns));
  const rank = ({ name }: Column): number => Number(pointing.has(name));
  return table.columns
    .filter((column) => lengthOf(column) > 0 && !kept.has(column.name))
    .toSorted((a, b) => rank(a) - rank(b) || lengthOf(b) - lengthOf(a));
}

const boundless: ReadonlySet<string> = new Set(['other', 'untyped', 'json', 'array']);

export function isLonger(type: ColumnType, longest: number): boolean {
  if (type.kind === 'text' || type.kind === 'binary') return (type.length ?? Infinity) > longest;
  return boundless.has(type.kind);
}

/** A foreign key's column takes the type of what it points at, where the database demands that. */
function alignTypes(table: Table, adaptation: Adaptation): Table {
  const columns = table.columns.map((column) => alignColumn(table, column, adaptation));
  return { ...table, columns };
}

function alignColumn(table: Table, column: Column, { ddl, tables, warn }: Adaptation): Column {
  for (const key of table.foreignKeys) {
    const target = finalTarget(key, column.name, tables);
    if (target === undefined || ddl.canReference(column.type, target.type)) continue;
    warn(
      `${table.name}.${column.name} takes the type of ${key.table}.${target.name}, which it points at.`,
    );
    return { ...column, type: target.type, nativeType: target.nativeType };
  }
  return column;
}

/** The column at the end of the keys that lead on from it. */
function finalTarget(
  key: ForeignKey,
  name: string,
  tables: ReadonlyMap<string, Table>,
): Column | undefined {
  const seen = new Set<Column>();
  let target = targetOf(key, name, tables);
  while (target !== undefined && !seen.has(target.column)) {
    seen.add(target.column);
    const { table, column } = target;
    const next = table.foreignKeys.find(({ columns }) => columns.includes(column.name));
    const further = next === undefined ? undefined : targetOf(next, column.name, tables);
    if (further === undefined) return column;
    target = further;
  }
  return target?.column;
}

function targetOf(
  key: ForeignKey,
  name: string,
  tables: ReadonlyMap<string, Table>,
): { readonly table: Table; readonly column: Column } | undefined {
  const table = tables.get(key.table);
  const place = key.columns.indexOf(name);
  if (table === undefined || place === -1) return undefined;
  const wanted = referencedColumns(key, table)[place];
  const column = table.columns.find((candidate) => candidate.name === wanted);
  return column === undefined ? undefined : { table, column };
}
