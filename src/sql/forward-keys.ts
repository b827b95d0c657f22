import type { ForeignKey, Table } from '../model/schema.ts';

export interface ForwardKey {
  readonly table: Table;
  readonly key: ForeignKey;
}

/** Foreign keys that reference their own table or one that comes later in this order. */
export function forwardKeys(tables: readonly Table[]): readonly ForwardKey[] {
  const positions = new Map(tables.map((table, position) => [table.name, position]));
  return tables.flatMap((table, position) =>
    table.foreignKeys
      .filter((key) => (positions.get(key.table) ?? -1) >= position)
      .map((key) => ({ table, key })),
  );
}
