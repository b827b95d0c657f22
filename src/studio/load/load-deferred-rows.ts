/** Loads the rows that came before the rows that they reference, after all rows have been read, parents first. */
import { tryInsertAll, loadBatch } from './load-batch.ts';
import { nullableKeyColumns, planCycle, readKeyCycle } from './plan-cycle.ts';
import { hasCycle, isSameKey, groupInKeyOrder, keysWithin } from '../core/foreign-key-groups.ts';
import { updateDeferredColumns } from './update-deferred-columns.ts';
import { trackRejectedRows } from './rejected-rows.ts';
import { createRowSpool } from './row-spool.ts';
import { loadWithoutWrongRows } from './skip-in-cycle.ts';
import { CannotDisableError, disableConstraints } from './disable-constraints.ts';
import { sliceChunk } from '../../model/row-chunk.ts';
import type { Schema, Table } from '../../model/schema.ts';
import type { FailedRows, LoadBatch, LoadSession } from './load-batch.ts';
import type { CyclePlan, KeyCycle } from './plan-cycle.ts';
import type { DisabledConstraints } from './disable-constraints.ts';
import type { TableForeignKey } from '../core/foreign-key-groups.ts';
import type { RowSpool } from './row-spool.ts';
import type { SkippableRows } from './skip-in-cycle.ts';

export interface DeferredRows {
  readonly schema: Schema;
  readonly folder: string;
  readonly spool: RowSpool;
  /** Foreign keys that the caller has disabled for the whole load. */
  readonly disabledKeys: readonly TableForeignKey[];
}

export async function loadDeferredRows(
  loadSession: LoadSession,
  deferred: DeferredRows,
): Promise<void> {
  const tables = deferred.spool.tables();
  const keys = keysWithin(tables);
  for (const [index, group] of groupInKeyOrder(tables, keys).entries()) {
    const keysOfGroup = keysWithin(group);
    if (!hasCycle(group, keysOfGroup)) await loadTables(loadSession, deferred.spool, group);
    else await loadCycle(loadSession, deferred, { tables: group, index });
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

interface IndexedGroup {
  readonly tables: readonly Table[];
  readonly index: number;
}

async function loadCycle(
  loadSession: LoadSession,
  deferred: DeferredRows,
  { tables, index }: IndexedGroup,
): Promise<void> {
  const cycle = await readKeyCycle(loadSession, tables, deferred.schema);
  const { plan, disabled, nullsNote } = await disableKeysOfCycle(loadSession, deferred, cycle);
  const spool = `later-updates-${index}`;
  const write: SkippableRows['write'] = (session, read, failed) =>
    writeCycle(session, failed, {
      plan,
      nullsNote,
      read,
      laterUpdates: createRowSpool(deferred.folder, spool),
    });
  const rows = { cycle: { ...plan, keys: cycle.keys, schema: deferred.schema }, write };
  const { onError, onConflict } = loadSession.options;
  try {
    if (onError === 'skip' && onConflict === 'update') {
      await loadWithoutWrongRows(loadSession, { ...rows, spool: deferred.spool });
    } else {
      const rejectedRows = await trackRejectedRows(loadSession, rows.cycle);
      await write(loadSession, deferred.spool.read, rejectedRows.failed);
      await rejectedRows.remove();
    }
    await disabled.verifyAndEnable();
  } catch (error) {
    await disabled.enableAfterFailure();
    throw error;
  }
}

interface CycleWriting {
  readonly plan: CyclePlan;
  readonly nullsNote: string | undefined;
  readonly read: RowSpool['read'];
  /** Is closed in the end. */
  readonly laterUpdates: RowSpool;
}

async function writeCycle(
  loadSession: LoadSession,
  failed: FailedRows,
  { plan, nullsNote, read, laterUpdates }: CycleWriting,
): Promise<void> {
  try {
    for (const table of plan.order) {
      const keys = plan.deferredKeys.filter((each) => each.table === table);
      for (const batch of read(table))
        await loadCycleBatch(loadSession, { batch, keys, laterUpdates, nullsNote });
    }
    for (const table of laterUpdates.tables()) {
      for (const batch of laterUpdates.read(table))
        await updateDeferredColumns(loadSession, batch, failed);
    }
  } finally {
    laterUpdates.close();
  }
}

interface PreparedCycle {
  /** A sentence for errors of constraints that may reject the temporary NULLs. */
  readonly nullsNote?: string;
  readonly plan: CyclePlan;
  readonly disabled: DisabledConstraints;
}

/**
 * Disables the keys whose columns would not be stored as by one INSERT. If the studio may not disable
 * them, constraints still keep wrong rows out, but triggers do not.
 */
async function disableKeysOfCycle(
  loadSession: LoadSession,
  { schema, disabledKeys }: DeferredRows,
  cycle: KeyCycle,
): Promise<PreparedCycle> {
  const { dialect } = loadSession;
  const disable = async (plan: CyclePlan): Promise<PreparedCycle> => {
    const keys = plan.disabledKeys.filter(
      (key) => !disabledKeys.some((each) => isSameKey(each, key)),
    );
    return { plan, disabled: await disableConstraints(loadSession, keys, { schema }) };
  };
  const exact = planCycle(dialect, cycle, ['none']);
  const fallback = planCycle(dialect, cycle, ['none', 'rejects']);
  if (fallback.deferredKeys.length === exact.deferredKeys.length) return disable(exact);
  return disable(exact).catch((error: unknown) => {
    if (!(error instanceof CannotDisableError)) throw error;
    const nullsNote = `The row was inserted with NULL in the columns that reference later rows, because ${error.reason}. ${error.advice}`;
    return disable(fallback).then((prepared) => ({ ...prepared, nullsNote }));
  });
}

interface CycleBatch {
  readonly batch: LoadBatch;
  readonly keys: readonly TableForeignKey[];
  readonly laterUpdates: RowSpool;
  readonly nullsNote: string | undefined;
}

/** Loads rows completely if their parents exist by now, or else with NULL in the columns that reference missing parents. */
async function loadCycleBatch(
  loadSession: LoadSession,
  { batch, keys, laterUpdates, nullsNote }: CycleBatch,
): Promise<void> {
  const deferredColumns = deferrableColumns(batch, keys);
  if (deferredColumns.length === 0) return loadBatch(loadSession, batch);
  const onMissingParents = (rowsWithoutParents: LoadBatch): Promise<void> =>
    loadWithNullKeys(
      loadSession,
      {
        ...rowsWithoutParents,
        deferredColumns,
        ...(nullsNote === undefined ? {} : { nullsNote }),
      },
      laterUpdates,
    );
  // The later update of an earlier row must not replace the references of this one.
  const mustWait = batch.conflict.kind === 'update' && laterUpdates.has(batch.table);
  return mustWait ? onMissingParents(batch) : loadBatch(loadSession, batch, { onMissingParents });
}

/** If conflicting rows are skipped, batches are halved as needed to know which rows were inserted. */
async function loadWithNullKeys(
  loadSession: LoadSession,
  batch: LoadBatch,
  laterUpdates: RowSpool,
): Promise<void> {
  if (batch.conflict.kind === 'skip' && batch.rows.length > 1) {
    if (await tryInsertAll(loadSession, batch)) return laterUpdates.write(batch);
    const middle = batch.rows.length >> 1;
    await loadWithNullKeys(loadSession, sliceChunk(batch, 0, middle), laterUpdates);
    return loadWithNullKeys(
      loadSession,
      sliceChunk(batch, middle, batch.rows.length),
      laterUpdates,
    );
  }
  await loadBatch(loadSession, batch, {
    onWritten: (writtenRows, { inserted, updated }) => {
      if (inserted + updated > 0) laterUpdates.write(writtenRows);
    },
  });
}

/** The indexes of columns that can be NULL at first. None without the primary key, by which rows are found again. */
function deferrableColumns(
  { table, columns }: LoadBatch,
  keys: readonly TableForeignKey[],
): readonly number[] {
  const hasColumn = (name: string): boolean => columns.some((column) => column.name === name);
  if (!(table.primaryKey?.columns ?? []).every(hasColumn)) return [];
  const names = new Set(keys.flatMap(nullableKeyColumns).map(({ name }) => name));
  return columns.flatMap(({ name }, i) => (names.has(name) ? [i] : []));
}
