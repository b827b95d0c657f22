import type { ForeignKey, Table } from '../model/schema.ts';

export interface LooseKey {
  readonly table: Table;
  readonly key: ForeignKey;
}

/** Foreign keys of tables in this order that point at the same table or at a later one. */
export function looseKeys(tables: readonly Table[]): readonly LooseKey[] {
  const places = new Map(tables.map((table, place) => [table.name, place]));
  return tables.flatMap((table, place) =>
    table.foreignKeys
      .filter((key) => (places.get(key.table) ?? -1) >= place)
      .map((key) => ({ table, key })),
  );
}
