import { hasCycle, groupInKeyOrder } from '../core/foreign-key-groups.ts';
import type { Dialect } from '../../model/database.ts';
import type { Column, Table } from '../../model/schema.ts';
import type { TableForeignKey } from '../core/foreign-key-groups.ts';

/** How to load tables that reference each other in a cycle. */
export interface CyclePlan {
  /** The tables, each after those that it references by the remaining keys. */
  readonly order: readonly Table[];
  /** Keys whose columns are NULL until all rows exist. */
  readonly deferredKeys: readonly TableForeignKey[];
  /** Keys that must be disabled during the load. */
  readonly disabledKeys: readonly TableForeignKey[];
}

/** Disables as few keys as possible: those that cost nothing, and those that form a cycle and cannot be NULL. */
export function planCycle(
  dialect: Dialect,
  group: readonly Table[],
  keys: readonly TableForeignKey[],
): CyclePlan {
  const freeKeys = keys.filter(
    ({ table, key }) => dialect.loading.deferForeignKey(table, key)?.isLightweight === true,
  );
  const late = keys.filter(
    (each) => !freeKeys.includes(each) && nullableKeyColumns(each).length > 0,
  );
  const checkedKeys = keys.filter((each) => !freeKeys.includes(each) && !late.includes(each));
  const cyclicKeys = checkedKeys.filter((each) => isOnCycle(group, checkedKeys, each));
  const orderingKeys = checkedKeys.filter((each) => !cyclicKeys.includes(each));
  return {
    order: groupInKeyOrder(group, orderingKeys).flat(),
    deferredKeys: late,
    disabledKeys: [...freeKeys, ...cyclicKeys],
  };
}

function isOnCycle(
  group: readonly Table[],
  checkedKeys: readonly TableForeignKey[],
  { table, key }: TableForeignKey,
): boolean {
  const own =
    groupInKeyOrder(group, checkedKeys).find((each) =>
      each.some(({ name }) => name === table.name),
    ) ?? [];
  return hasCycle(own, checkedKeys) && own.some(({ name }) => name === key.table);
}

/** The columns of a foreign key that can be NULL at first. None without a primary key, by which the row is found again. */
export function nullableKeyColumns({ table, key }: TableForeignKey): readonly Column[] {
  const identity = table.primaryKey?.columns ?? [];
  if (identity.length === 0) return [];
  return table.columns.filter(
    ({ name, nullable }) => nullable && key.columns.includes(name) && !identity.includes(name),
  );
}
