import { hasCycle, groupInKeyOrder, keysWithin } from '../core/foreign-key-groups.ts';
import type { Dialect, Transaction } from '../../model/database.ts';
import type { LoadCapability } from '../core/capabilities.ts';
import type { Column, Schema, Table } from '../../model/schema.ts';
import type { LoadSession } from './load-batch.ts';
import type { TableForeignKey } from '../core/foreign-key-groups.ts';

/**
 * How the result differs if rows are inserted with NULL in the columns of a key, which are updated
 * afterwards, instead of by one INSERT. `none`: not at all. `rejects`: constraints may reject rows that
 * they would accept. `changes`: triggers or rules may store other values.
 */
type DeferralEffect = 'none' | 'rejects' | 'changes';

/** How to load tables that reference each other in a cycle. */
export interface CyclePlan {
  /** The tables, each after those that it references by the remaining keys. */
  readonly order: readonly Table[];
  /** Keys whose columns are NULL until all rows exist. */
  readonly deferredKeys: readonly TableForeignKey[];
  /** Keys that must be disabled during the load. */
  readonly disabledKeys: readonly TableForeignKey[];
}

/** Tables that reference each other in a cycle. */
export interface KeyCycle {
  readonly tables: readonly Table[];
  readonly keys: readonly TableForeignKey[];
  /** What happens if the columns of a key are NULL until all rows exist. */
  readonly effects: ReadonlyMap<TableForeignKey, DeferralEffect>;
}

/**
 * Disables as few keys as possible: those that cost nothing, those that form a cycle and cannot be NULL,
 * and those for which a temporary NULL has an effect that is not tolerated.
 */
export function planCycle(
  dialect: Dialect<LoadCapability>,
  { tables, keys, effects }: KeyCycle,
  tolerated: readonly DeferralEffect[],
): CyclePlan {
  const isTolerated = (each: TableForeignKey): boolean => {
    const effect = effects.get(each);
    return effect !== undefined && tolerated.includes(effect);
  };
  const freeKeys = keys.filter((each) => isFree(dialect, each));
  const deferredKeys = keys.filter((each) => !freeKeys.includes(each) && isTolerated(each));
  const checkedKeys = keys.filter(
    (each) => !freeKeys.includes(each) && !deferredKeys.includes(each),
  );
  const cyclicKeys = checkedKeys.filter((each) => isOnCycle(tables, checkedKeys, each));
  const orderingKeys = checkedKeys.filter((each) => !cyclicKeys.includes(each));
  return {
    order: groupInKeyOrder(tables, orderingKeys).flat(),
    deferredKeys,
    disabledKeys: [...freeKeys, ...cyclicKeys],
  };
}

/** Whether the check of the key can be deferred at no cost. */
function isFree(dialect: Dialect<LoadCapability>, { table, key }: TableForeignKey): boolean {
  return dialect.load.deferForeignKey(table, key)?.isLightweight === true;
}

/** Reads the effects of a temporary NULL, for the keys that can be NULL and cannot be deferred at no cost. */
export async function readKeyCycle(
  { session, dialect }: LoadSession,
  tables: readonly Table[],
  schema: Schema,
): Promise<KeyCycle> {
  const keys = keysWithin(tables);
  const effects = new Map<TableForeignKey, DeferralEffect>();
  const deferrable = keys.filter(
    (each) => nullableKeyColumns(each).length > 0 && !isFree(dialect, each),
  );
  // The triggers of one table may read the columns of another.
  const runsTriggers = deferrable.length > 0 && (await anyRunsTriggers(session, tables));
  for (const each of deferrable) {
    const names = nullableKeyColumns(each).map(({ name }) => name);
    const mayReject =
      isReferenced(schema, each.table, names) || (await session.mayRejectNull(each.table, names));
    effects.set(each, runsTriggers ? 'changes' : mayReject ? 'rejects' : 'none');
  }
  return { tables, keys, effects };
}

async function anyRunsTriggers(
  session: Transaction<'load'>,
  tables: readonly Table[],
): Promise<boolean> {
  for (const table of tables)
    if (await session.runsTriggers(table, ['insert', 'update'])) return true;
  return false;
}

/** Whether other rows may reference these columns, and be rejected as long as they are NULL. */
function isReferenced(schema: Schema, { name }: Table, columns: readonly string[]): boolean {
  return schema.tables.some(({ foreignKeys }) =>
    foreignKeys.some(
      ({ table, referencedColumns }) =>
        table === name && referencedColumns.some((column) => columns.includes(column)),
    ),
  );
}

function isOnCycle(
  group: readonly Table[],
  checkedKeys: readonly TableForeignKey[],
  { table, key }: TableForeignKey,
): boolean {
  const otherKeys =
    groupInKeyOrder(group, checkedKeys).find((each) =>
      each.some(({ name }) => name === table.name),
    ) ?? [];
  return hasCycle(otherKeys, checkedKeys) && otherKeys.some(({ name }) => name === key.table);
}

/** The columns of a foreign key that can be NULL at first. None without a primary key, by which the row is found again. */
export function nullableKeyColumns({ table, key }: TableForeignKey): readonly Column[] {
  const identity = table.primaryKey?.columns ?? [];
  if (identity.length === 0) return [];
  return table.columns.filter(
    ({ name, nullable }) => nullable && key.columns.includes(name) && !identity.includes(name),
  );
}
