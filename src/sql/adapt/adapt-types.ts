import { referencedColumns } from './adapt-keys.ts';
import type { Column, ColumnType, ForeignKey, Table } from '../../model/schema.ts';
import type { Adaptation } from './adaptation.ts';

/** Adapts column types so that keys can include the columns and foreign keys can reference each other. */
export function adaptTypes(tables: readonly Table[], adaptation: Adaptation): readonly Table[] {
  const targets = referencedKeys(tables, adaptation);
  const numbered = tables.map((table) => withNumberedTypes(table, adaptation));
  const fitted = numbered.map((table) => fitKeys(table, targets.get(table.name) ?? [], adaptation));
  const byName = new Map([
    ...adaptation.tables,
    ...fitted.map((table) => [table.name, table] as const),
  ]);
  const aligned = fitted.map((table) => alignTypes(table, { ...adaptation, tables: byName }));
  return aligned.map((table) => fitRow(table, targets.get(table.name) ?? [], adaptation));
}

/** The type of an auto-increment column where that of the source cannot be one, so that foreign keys to it get the same. */
function withNumberedTypes(table: Table, { ddl }: Adaptation): Table {
  const columns = table.columns.map((column) => {
    const { type, autoIncrement } = column;
    const isSame = autoIncrement !== true || ddl.columnType(column) === ddl.columnType({ type });
    const isCompatible = isSame || ddl.canReference(type, numberedType);
    return isCompatible ? column : { ...column, type: numberedType, nativeType: '' };
  });
  return { ...table, columns };
}

const numberedType = { kind: 'integer', bits: 64 } as const;

type Columns = readonly string[];

/** The referenced columns of all foreign keys, by referenced table. */
function referencedKeys(
  tables: readonly Table[],
  { tables: tablesByName }: Adaptation,
): ReadonlyMap<string, readonly Columns[]> {
  const keys = tables.flatMap((table) => table.foreignKeys);
  const byTarget = Map.groupBy(keys, ({ table }) => table);
  return new Map(
    [...byTarget].map(([name, of]) => {
      const target = tablesByName.get(name);
      return [name, target === undefined ? [] : of.map((key) => referencedColumns(key, target))];
    }),
  );
}

/** Texts without a length limit in a key get the longest length that a key allows. */
function fitKeys(table: Table, referenced: readonly Columns[], { ddl, warn }: Adaptation): Table {
  const keys = [
    ...keyColumnLists(table, referenced),
    ...table.foreignKeys.map(({ columns }) => columns),
  ];
  const fit = (column: Column): Column => {
    const sizes = keys.filter((key) => key.includes(column.name)).map((key) => key.length);
    const longest = sizes.length === 0 ? undefined : ddl.maxKeyTextLength(Math.max(...sizes));
    if (longest === undefined || !isLonger(column.type, longest)) return column;
    warn(
      `${table.name}.${column.name} is limited to ${longest} characters, because it is part of a key.`,
    );
    const kind = column.type.kind === 'binary' ? 'binary' : 'text';
    return { ...column, type: { kind, length: longest }, nativeType: '' };
  };
  return { ...table, columns: table.columns.map(fit) };
}

/** The column lists of the primary key, of unique indexes and of what foreign keys reference. */
function keyColumnLists(table: Table, referenced: readonly Columns[]): readonly Columns[] {
  const unique = table.indexes
    .filter((index) => index.unique)
    .map(({ parts }) => parts.flatMap(({ column }) => column ?? []));
  return [table.primaryKey?.columns ?? [], ...unique, ...referenced];
}

/**
 * Removes the length limits of the longest texts until the rest fits into a row. Columns of foreign
 * keys come last, and their keys are dropped with the limit.
 */
function fitRow(table: Table, referenced: readonly Columns[], { ddl, warn }: Adaptation): Table {
  const { maxRowTextLength = Infinity } = ddl;
  const unlimited = new Set<string>();
  let rest = table.columns.reduce((sum, column) => sum + lengthOf(column) + columnOverhead, 0);
  for (const column of columnsToUnlimit(table, referenced)) {
    if (rest <= maxRowTextLength) break;
    rest -= lengthOf(column);
    unlimited.add(column.name);
    warn(
      `${table.name}.${column.name} is created without its length limit: a row cannot hold so many characters.`,
    );
  }
  const columns = table.columns.map((column) =>
    unlimited.has(column.name)
      ? { ...column, type: { kind: 'text' } as const, nativeType: '' }
      : column,
  );
  const foreignKeys = table.foreignKeys.filter((key) => {
    const isLost = key.columns.some((name) => unlimited.has(name));
    const keyText = `${table.name}: the foreign key (${key.columns.join(', ')})`;
    if (isLost)
      warn(`${keyText} is left out: a text without a length limit cannot be part of a key.`);
    return !isLost;
  });
  return { ...table, columns, foreignKeys };
}

function lengthOf({ type }: Column): number {
  return type.kind === 'text' ? (type.length ?? 0) : 0;
}

/** Space that a column needs in a row besides its text, in characters: its length, a number, or the pointer to a long text. */
const columnOverhead = 4;

/** Texts whose length limit can be removed, the longest first and those of foreign keys last. */
function columnsToUnlimit(table: Table, referenced: readonly Columns[]): readonly Column[] {
  const keyColumns = new Set(keyColumnLists(table, referenced).flat());
  const foreignKeyColumns = new Set(table.foreignKeys.flatMap(({ columns }) => columns));
  const rank = ({ name }: Column): number => Number(foreignKeyColumns.has(name));
  return table.columns
    .filter((column) => lengthOf(column) > 0 && !keyColumns.has(column.name))
    .toSorted((a, b) => rank(a) - rank(b) || lengthOf(b) - lengthOf(a));
}

const unboundedKinds: ReadonlySet<string> = new Set(['other', 'untyped', 'json', 'array']);

export function isLonger(type: ColumnType, longest: number): boolean {
  if (type.kind === 'text' || type.kind === 'binary') return (type.length ?? Infinity) > longest;
  return unboundedKinds.has(type.kind);
}

/** Gives foreign key columns the type of the column they reference, where the database requires that. */
function alignTypes(table: Table, adaptation: Adaptation): Table {
  const columns = table.columns.map((column) => alignColumn(table, column, adaptation));
  return { ...table, columns };
}

function alignColumn(table: Table, column: Column, { ddl, tables, warn }: Adaptation): Column {
  for (const key of table.foreignKeys) {
    const target = finalTarget(key, column.name, tables);
    if (target === undefined) continue;
    if (ddl.canReference(column.type, target.type)) {
      if (ddl.exactCollation !== undefined && column.collation !== target.collation)
        return withCollation(column, target.collation);
      continue;
    }
    warn(
      `${table.name}.${column.name} gets the type of ${key.table}.${target.name}, which it references.`,
    );
    const { type, nativeType, collation } = target;
    return withCollation({ ...column, type, nativeType }, collation);
  }
  return column;
}

/** Texts of a foreign key compare as those that it references. */
function withCollation(column: Column, collation: string | undefined): Column {
  const { collation: _own, ...rest } = column;
  return collation === undefined ? rest : { ...rest, collation };
}

/** Follows foreign keys from column to column and returns the last one. */
function finalTarget(
  key: ForeignKey,
  name: string,
  tables: ReadonlyMap<string, Table>,
): Column | undefined {
  const seenColumns = new Set<Column>();
  let target = targetOf(key, name, tables);
  while (target !== undefined && !seenColumns.has(target.column)) {
    seenColumns.add(target.column);
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
  const position = key.columns.indexOf(name);
  if (table === undefined || position === -1) return undefined;
  const referencedName = referencedColumns(key, table)[position];
  const column = table.columns.find((candidate) => candidate.name === referencedName);
  return column === undefined ? undefined : { table, column };
}
