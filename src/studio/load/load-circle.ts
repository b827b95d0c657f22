import { isCircle, keyGroups } from '../core/foreign-key-groups.ts';
import type { Dialect } from '../../model/database.ts';
import type { Column, Table } from '../../model/schema.ts';
import type { TableKey } from '../core/foreign-key-groups.ts';

/** How tables that point at each other are loaded. */
export interface CirclePlan {
  /** Each after those that it points at by the keys that are left. */
  readonly order: readonly Table[];
  /** Keys whose columns may be NULL until all rows are there. */
  readonly late: readonly TableKey[];
  /** Keys whose check must be put off. */
  readonly suspended: readonly TableKey[];
}

/** As little as can be is put off: first what costs nothing, then what may be NULL, then the rest. */
export function planCircle(
  dialect: Dialect,
  group: readonly Table[],
  keys: readonly TableKey[],
): CirclePlan {
  const waits = keys.filter(
    ({ table, key }) => dialect.loading.suspension(table, key)?.free === true,
  );
  const late = keys.filter((each) => !waits.includes(each) && lateColumns(each).length > 0);
  const kept = keys.filter((each) => !waits.includes(each) && !late.includes(each));
  const stuck = kept.filter((each) => closesCircle(group, kept, each));
  const firm = kept.filter((each) => !stuck.includes(each));
  return {
    order: keyGroups(group, firm).flat(),
    late,
    suspended: [...waits, ...stuck],
  };
}

function closesCircle(
  group: readonly Table[],
  kept: readonly TableKey[],
  { table, key }: TableKey,
): boolean {
  const own =
    keyGroups(group, kept).find((each) => each.some(({ name }) => name === table.name)) ?? [];
  return isCircle(own, kept) && own.some(({ name }) => name === key.table);
}

/** Columns of a key that may be NULL for a while; a row is found again by its primary key. */
export function lateColumns({ table, key }: TableKey): readonly Column[] {
  const identity = table.primaryKey?.columns ?? [];
  if (identity.length === 0) return [];
  return table.columns.filter(
    ({ name, nullable }) => nullable && key.columns.includes(name) && !identity.includes(name),
  );
}
