import { hasCycle, groupInKeyOrder } from '../core/foreign-key-groups.ts';
import type { Dialect } from '../../model/database.ts';
import type { Column, Table } from '../../model/schema.ts';
import type { TableForeignKey } from '../core/foreign-key-groups.ts';

/** How tables that point at each other are loaded. */
export interface CyclePlan {
  /** Each after those that it points at by the keys that are left. */
  readonly order: readonly Table[];
  /** Keys whose columns may be NULL until all rows are there. */
  readonly deferredKeys: readonly TableForeignKey[];
  /** Keys whose check must be put off. */
  readonly disabledKeys: readonly TableForeignKey[];
}

/** As little as can be is put off: first what costs nothing, then what may be NULL, then the rest. */
export function planCycle(
  dialect: Dialect,
  group: readonly Table[],
  keys: readonly TableForeignKey[],
): CyclePlan {
  const waits = keys.filter(
    ({ table, key }) => dialect.loading.deferForeignKey(table, key)?.isLightweight === true,
  );
  const late = keys.filter((each) => !waits.includes(each) && nullableKeyColumns(each).length > 0);
  const kept = keys.filter((each) => !waits.includes(each) && !late.includes(each));
  const stuck = kept.filter((each) => isOnCycle(group, kept, each));
  const firm = kept.filter((each) => !stuck.includes(each));
  return {
    order: groupInKeyOrder(group, firm).flat(),
    deferredKeys: late,
    disabledKeys: [...waits, ...stuck],
  };
}

function isOnCycle(
  group: readonly Table[],
  kept: readonly TableForeignKey[],
  { table, key }: TableForeignKey,
): boolean {
  const own =
    groupInKeyOrder(group, kept).find((each) => each.some(({ name }) => name === table.name)) ?? [];
  return hasCycle(own, kept) && own.some(({ name }) => name === key.table);
}

/** Columns of a key that may be NULL for a while; a row is found again by its primary key. */
export function nullableKeyColumns({ table, key }: TableForeignKey): readonly Column[] {
  const identity = table.primaryKey?.columns ?? [];
  if (identity.length === 0) return [];
  return table.columns.filter(
    ({ name, nullable }) => nullable && key.columns.includes(name) && !identity.includes(name),
  );
}
