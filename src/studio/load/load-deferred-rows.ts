/** Loads the rows that came before the rows that they reference, after all rows have been read, parents first. */
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
  /** Foreign keys that the caller has disabled for the whole load. */
  readonly disabledKeys: readonly TableForeignKey[];
}

export async function loadDeferredRows(
  loadSession: LoadSession,
  waiting: DeferredRows,
): Promise<void> {
  const tables = waiting.spool.tables();
  const keys = keysWithin(tables);
  for (const [index, group] of groupInKeyOrder(tables, keys).entries()) {
    const own = keysWithin(group);
    if (!hasCycle(group, own)) await loadTables(loadSession, waiting.spool, group);
    else
      await loadCycle(loadSession, waiting, {
        ...planCycle(loadSession.dialect, group, own),
        index,
      });
  }
}

async function loadTables(
  loadSession: LoadSession,
  spool: RowSpool,
  tables: readonly Table[],
): Promise<void> {
  for (const table of tables) {
    for (const batch of spool.read(table)) await loadBatch(loadSession, batch);
  }
}

interface IndexedCyclePlan extends CyclePlan {
  readonly index: number;
}

async function loadCycle(
  loadSession: LoadSession,
  waiting: DeferredRows,
  plan: IndexedCyclePlan,
): Promise<void> {
  const isSuspended = (key: TableForeignKey): boolean =>
    waiting.disabledKeys.some((each) => isSameKey(each, key));
  const refused = await trackRejectedRows(loadSession, {
    ...plan,
    keys: keysWithin(plan.order),
    schema: waiting.schema,
  });
  const others = plan.disabledKeys.filter((each) => !isSuspended(each));
  const suspended = await disableConstraints(loadSession, others, { schema: waiting.schema });
  const late = createRowSpool(waiting.folder, `late-${plan.index}`);
  try {
    for (const table of plan.order) {
      const keys = plan.deferredKeys.filter((each) => each.table === table);
      for (const batch of waiting.spool.read(table))
        await loadCycleBatch(loadSession, { batch, keys, late });
    }
    for (const table of late.tables()) {
      for (const batch of late.read(table))
        await updateDeferredColumns(loadSession, batch, refused);
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

/** Loads rows completely if their parents exist by now, or else with NULL in the columns that reference missing parents. */
async function loadCycleBatch(
  loadSession: LoadSession,
  { batch, keys, late }: CycleBatch,
): Promise<void> {
  const deferredColumns = deferrableColumns(batch, keys);
  if (deferredColumns.length === 0) return loadBatch(loadSession, batch);
  return loadBatch(loadSession, batch, {
    onMissingParents: (orphans) =>
      loadWithNullKeys(loadSession, { ...orphans, deferredColumns }, late),
  });
}

/** If conflicting rows are skipped, batches are halved as needed to know which rows were inserted. */
async function loadWithNullKeys(
  loadSession: LoadSession,
  batch: LoadBatch,
  late: RowSpool,
): Promise<void> {
  if (batch.conflict.kind === 'skip' && batch.rows.length > 1) {
    if (await tryInsertAll(loadSession, batch)) return late.write(batch);
    const middle = batch.rows.length >> 1;
    await loadWithNullKeys(loadSession, sliceChunk(batch, 0, middle), late);
    return loadWithNullKeys(loadSession, sliceChunk(batch, middle, batch.rows.length), late);
  }
  await loadBatch(loadSession, batch, {
    onWritten: (written, { inserted, updated }) => {
      if (inserted + updated > 0) late.write(written);
    },
  });
}

/** The indexes of columns that can be NULL at first. None without the primary key, by which rows are found again. */
function deferrableColumns(
  { table, columns }: LoadBatch,
  keys: readonly TableForeignKey[],
): readonly number[] {
  const isGiven = (name: string): boolean => columns.some((column) => column.name === name);
  if (!(table.primaryKey?.columns ?? []).every(isGiven)) return [];
  const names = new Set(keys.flatMap(nullableKeyColumns).map(({ name }) => name));
  return columns.flatMap(({ name }, i) => (names.has(name) ? [i] : []));
}
