/** Rows that came before the rows that they point at: loaded when all have come, parents first. */
import { tryInsertAll, loadBatch } from './load-batch.ts';
import { nullableKeyColumns, planCycle } from './plan-cycle.ts';
import { hasCycle, isSameKey, groupInKeyOrder, keysWithin } from '../core/foreign-key-groups.ts';
import { updateDeferredColumns } from './update-deferred-columns.ts';
import { trackRejectedRows } from './rejected-rows.ts';
import { createRowSpool } from './row-spool.ts';
import { disableConstraints } from './disable-constraints.ts';
import { sliceChunk } from '../../model/row-chunk.ts';
import type { Schema, Table } from '../../model/schema.ts';
import type { LoadBatch, LoadSession } from './load-batch.ts';
import type { CyclePlan } from './plan-cycle.ts';
import type { TableForeignKey } from '../core/foreign-key-groups.ts';
import type { RowSpool } from './row-spool.ts';

export interface DeferredRows {
  readonly schema: Schema;
  readonly folder: string;
  readonly spool: RowSpool;
  /** Keys whose check has been put off for longer. */
  readonly disabledKeys: readonly TableForeignKey[];
}

export async function loadDeferredRows(loading: LoadSession, waiting: DeferredRows): Promise<void> {
  const tables = waiting.spool.tables();
  const keys = keysWithin(tables);
  for (const [index, group] of groupInKeyOrder(tables, keys).entries()) {
    const own = keysWithin(group);
    if (!hasCycle(group, own)) await loadTables(loading, waiting.spool, group);
    else await loadCycle(loading, waiting, { ...planCycle(loading.dialect, group, own), index });
  }
}

async function loadTables(
  loading: LoadSession,
  spool: RowSpool,
  tables: readonly Table[],
): Promise<void> {
  for (const table of tables) {
    for (const batch of spool.read(table)) await loadBatch(loading, batch);
  }
}

interface IndexedCyclePlan extends CyclePlan {
  readonly index: number;
}

async function loadCycle(
  loading: LoadSession,
  waiting: DeferredRows,
  plan: IndexedCyclePlan,
): Promise<void> {
  const isSuspended = (key: TableForeignKey): boolean =>
    waiting.disabledKeys.some((each) => isSameKey(each, key));
  const refused = await trackRejectedRows(loading, {
    ...plan,
    keys: keysWithin(plan.order),
    schema: waiting.schema,
  });
  const others = plan.disabledKeys.filter((each) => !isSuspended(each));
  const suspended = await disableConstraints(loading, others, {
    schema: waiting.schema,
    written: plan.order,
  });
  const late = createRowSpool(waiting.folder, `late-${plan.index}`);
  try {
    for (const table of plan.order) {
      const keys = plan.deferredKeys.filter((each) => each.table === table);
      for (const batch of waiting.spool.read(table))
        await loadCycleBatch(loading, { batch, keys, late });
    }
    for (const table of late.tables()) {
      for (const batch of late.read(table)) await updateDeferredColumns(loading, batch, refused);
    }
    await refused.remove();
    await suspended.verifyAndEnable();
  } catch (error) {
    await suspended.enableAfterFailure();
    throw error;
  } finally {
    late.close();
  }
}

interface CycleBatch {
  readonly batch: LoadBatch;
  readonly keys: readonly TableForeignKey[];
  readonly late: RowSpool;
}

/** As they are where their parents are there by now; else without what points at those that are not. */
async function loadCycleBatch(
  loading: LoadSession,
  { batch, keys, late }: CycleBatch,
): Promise<void> {
  const withheld = deferrableColumns(batch, keys);
  if (withheld.length === 0) return loadBatch(loading, batch);
  return loadBatch(loading, batch, {
    onMissingParents: (orphans) =>
      loadWithNullKeys(loading, { ...orphans, deferredColumns: withheld }, late),
  });
}

/** Of rows that may be skipped, one by one where that is needed to know which were. */
async function loadWithNullKeys(
  loading: LoadSession,
  batch: LoadBatch,
  late: RowSpool,
): Promise<void> {
  if (batch.conflict.kind === 'skip' && batch.rows.length > 1) {
    if (await tryInsertAll(loading, batch)) return late.write(batch);
    const middle = batch.rows.length >> 1;
    await loadWithNullKeys(loading, sliceChunk(batch, 0, middle), late);
    return loadWithNullKeys(loading, sliceChunk(batch, middle, batch.rows.length), late);
  }
  await loadBatch(loading, batch, {
    onWritten: (written, { inserted, updated }) => {
      if (inserted + updated > 0) late.write(written);
    },
  });
}

/** Without the key of a row it could not be found again. */
function deferrableColumns(
  { table, columns }: LoadBatch,
  keys: readonly TableForeignKey[],
): readonly number[] {
  const isGiven = (name: string): boolean => columns.some((column) => column.name === name);
  if (!(table.primaryKey?.columns ?? []).every(isGiven)) return [];
  const names = new Set(keys.flatMap(nullableKeyColumns).map(({ name }) => name));
  return columns.flatMap(({ name }, i) => (names.has(name) ? [i] : []));
}
