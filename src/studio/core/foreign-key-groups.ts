import type { ForeignKey, Schema, Table } from '../../model/schema.ts';

/** A foreign key and the table that has it. */
export interface TableForeignKey {
  readonly table: Table;
  readonly key: ForeignKey;
}

export function isSameKey(first: TableForeignKey, second: TableForeignKey): boolean {
  const { key } = second;
  return (
    first.table.name === second.table.name &&
    first.key.table === key.table &&
    first.key.columns.join('\0') === key.columns.join('\0')
  );
}

/** The foreign keys between these tables, including those of a table that references itself. */
export function keysWithin(tables: readonly Table[]): readonly TableForeignKey[] {
  const names = new Set(tables.map(({ name }) => name));
  return tables.flatMap((table) =>
    table.foreignKeys.filter((key) => names.has(key.table)).map((key) => ({ table, key })),
  );
}

/** The foreign keys of these tables, and the keys of other tables that reference them. */
export function foreignKeysOfAndTo(
  schema: Schema,
  tables: readonly Table[],
): readonly TableForeignKey[] {
  const names = new Set(tables.map(({ name }) => name));
  return schema.tables.flatMap((table) =>
    table.foreignKeys
      .filter((key) => names.has(table.name) || names.has(key.table))
      .map((key) => ({ table, key })),
  );
}

/**
 * Groups tables so that each group comes after those that it references. Tables of one group reference
 * each other in a cycle (Tarjan's algorithm for strongly connected components).
 */
export function groupInKeyOrder(
  tables: readonly Table[],
  keys: readonly TableForeignKey[],
): readonly (readonly Table[])[] {
  const search: Search = {
    parentsOf: (table) =>
      keys.flatMap((each) =>
        each.table.name === table.name
          ? (tables.find(({ name }) => name === each.key.table) ?? [])
          : [],
      ),
    order: new Map(),
    path: [],
    groups: [],
  };
  for (const table of tables) if (!search.order.has(table)) visit(search, table);
  return search.groups;
}

interface Search {
  readonly parentsOf: (table: Table) => readonly Table[];
  readonly order: Map<Table, number>;
  readonly path: Table[];
  readonly groups: (readonly Table[])[];
}

function visit(search: Search, table: Table): number {
  const { order, path, groups, parentsOf } = search;
  const index = order.size;
  order.set(table, index);
  path.push(table);
  let low = index;
  for (const parent of parentsOf(table)) {
    if (!order.has(parent)) low = Math.min(low, visit(search, parent));
    else if (path.includes(parent)) low = Math.min(low, order.get(parent) ?? low);
  }
  if (low === index) groups.push(path.splice(path.indexOf(table)));
  return low;
}

/** Whether the tables of a group reference each other, or the only one references itself. */
export function hasCycle(group: readonly Table[], keys: readonly TableForeignKey[]): boolean {
  const names = new Set(group.map(({ name }) => name));
  return keys.some(({ table, key }) => names.has(table.name) && names.has(key.table));
}
