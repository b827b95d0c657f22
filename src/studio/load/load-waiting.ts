/** Rows that came before the rows that they point at: loaded when all have come, parents first. */
import { insertWhole, loadBatch } from './load-batch.ts';
import { lateColumns, planCircle } from './load-circle.ts';
import { isCircle, isSameKey, keyGroups, keysWithin } from '../core/foreign-key-groups.ts';
import { updateLate } from './load-late.ts';
import { collectRefused } from './load-refused.ts';
import { createRowSpool } from './load-spool.ts';
import { suspendKeys } from './load-suspension.ts';
import { sliceChunk } from '../../model/row-chunk.ts';
import type { Schema, Table } from '../../model/schema.ts';
import type { LoadBatch, Loading } from './load-batch.ts';
import type { CirclePlan } from './load-circle.ts';
import type { TableKey } from '../core/foreign-key-groups.ts';
import type { RowSpool } from './load-spool.ts';

export interface Waiting {
  readonly schema: Schema;
  readonly folder: string;
  readonly spool: RowSpool;
  /** Keys whose check has been put off for longer. */
  readonly suspended: readonly TableKey[];
}

export async function loadWaiting(loading: Loading, waiting: Waiting): Promise<void> {
  const tables = waiting.spool.tables();
  const keys = keysWithin(tables);
  for (const [index, group] of keyGroups(tables, keys).entries()) {
    const own = keysWithin(group);
    if (!isCircle(group, own)) await loadTables(loading, waiting.spool, group);
    else await loadCircle(loading, waiting, { ...planCircle(loading.dialect, group, own), index });
  }
}

async function loadTables(
  loading: Loading,
  spool: RowSpool,
  tables: readonly Table[],
): Promise<void> {
  for (const table of tables) {
    for (const batch of spool.read(table)) await loadBatch(loading, batch);
  }
}

interface Circle extends CirclePlan {
  readonly index: number;
}

async function loadCircle(loading: Loading, waiting: Waiting, plan: Circle): Promise<void> {
  const isSuspended = (key: TableKey): boolean =>
    waiting.suspended.some((each) => isSameKey(each, key));
  const refused = await collectRefused(loading, {
    ...plan,
    keys: keysWithin(plan.order),
    schema: waiting.schema,
  });
  const others = plan.suspended.filter((each) => !isSuspended(each));
  const suspended = await suspendKeys(loading, others, {
    schema: waiting.schema,
    written: plan.order,
  });
  const late = createRowSpool(waiting.folder, `late-${plan.index}`);
  try {
    for (const table of plan.order) {
      const keys = plan.late.filter((each) => each.table === table);
      for (const batch of waiting.spool.read(table))
        await loadInCircle(loading, { batch, keys, late });
    }
    for (const table of late.tables()) {
      for (const batch of late.read(table)) await updateLate(loading, batch, refused);
    }
    await refused.remove();
    await suspended.end();
  } catch (error) {
    await suspended.giveUp();
    throw error;
  } finally {
    late.close();
  }
}

interface CircleBatch {
  readonly batch: LoadBatch;
  readonly keys: readonly TableKey[];
  readonly late: RowSpool;
}

/** As they are where their parents are there by now; else without what points at those that are not. */
async function loadInCircle(loading: Loading, { batch, keys, late }: CircleBatch): Promise<void> {
  const withheld = withheldColumns(batch, keys);
  if (withheld.length === 0) return loadBatch(loading, batch);
  return loadBatch(loading, batch, {
    onOrphans: (orphans) => loadWithheld(loading, { ...orphans, withheld }, late),
  });
}

/** Of rows that may be skipped, one by one where that is needed to know which were. */
async function loadWithheld(loading: Loading, batch: LoadBatch, late: RowSpool): Promise<void> {
  if (batch.conflict.kind === 'skip' && batch.rows.length > 1) {
    if (await insertWhole(loading, batch)) return late.write(batch);
    const middle = batch.rows.length >> 1;
    await loadWithheld(loading, sliceChunk(batch, 0, middle), late);
    return loadWithheld(loading, sliceChunk(batch, middle, batch.rows.length), late);
  }
  await loadBatch(loading, batch, {
    onWritten: (written, { inserted, updated }) => {
      if (inserted + updated > 0) late.write(written);
    },
  });
}

/** Without the key of a row it could not be found again. */
function withheldColumns(
  { table, columns }: LoadBatch,
  keys: readonly TableKey[],
): readonly number[] {
  const isGiven = (name: string): boolean => columns.some((column) => column.name === name);
  if (!(table.primaryKey?.columns ?? []).every(isGiven)) return [];
  const names = new Set(keys.flatMap(lateColumns).map(({ name }) => name));
  return columns.flatMap(({ name }, i) => (names.has(name) ? [i] : []));
}
