/** Writes rows in bulk, all or nothing, by the rules of an import (conflicts, errors, foreign keys as a whole). */
import { StudioError } from '../../model/errors.ts';
import { runText, keyCheckError, loadBatch } from './load-batch.ts';
import { planTable } from './load-plan.ts';
import { emptyTables, incomingKeys } from './empty-tables.ts';
import { createRowSpool } from './row-spool.ts';
import { foreignKeysOfAndTo } from '../core/foreign-key-groups.ts';
import { watchForeignKeys } from './watch-foreign-keys.ts';
import { createTally } from './load-tally.ts';
import { loadDeferredRows } from './load-deferred-rows.ts';
import { readAhead } from './read-ahead.ts';
import { writeTransaction } from '../core/write-transaction.ts';
import type { Database, Transaction } from '../../model/database.ts';
import type { LoadOptions, LoadReport, RowChunk } from '../../model/load.ts';
import type { Column, Schema, Table } from '../../model/schema.ts';
import type { Context } from '../core/context.ts';
import type { LoadBatch, LoadSession } from './load-batch.ts';
import type { ForeignKeyWatch } from './watch-foreign-keys.ts';
import type { TablePlan } from './load-plan.ts';
import type { RowSpool } from './row-spool.ts';
import type { Tally } from './load-tally.ts';
import type { ReadAhead } from './read-ahead.ts';

export interface LoadContext extends Pick<Context, 'database' | 'schemas'> {
  /** For rows that must wait for others. */
  readonly folder: string;
}

export interface LoadSource {
  /** The tables that the rows are of, where that is known before. */
  readonly tables: readonly Table[] | undefined;
  readonly chunks: AsyncIterable<RowChunk>;
}

/** One transaction; it begins when the first rows are there, so that no lock is held for a file that has none. */
export async function loadRows(
  context: LoadContext,
  source: LoadSource,
  options: LoadOptions,
): Promise<LoadReport> {
  const load = await prepareLoad(context, source, options);
  const chunks = readAhead(source.chunks, context.database.dialect.loading.rowsPerBatch);
  try {
    if ((await chunks.hasNext()) || options.mode === 'replace')
      await loadInTransaction(load, chunks);
    return load.tally.report();
  } finally {
    await chunks.close();
    load.spool.close();
  }
}

interface LoadState {
  readonly database: Database;
  readonly schema: Schema;
  readonly tables: readonly Table[] | undefined;
  readonly options: LoadOptions;
  readonly tally: Tally;
  readonly folder: string;
  readonly spool: RowSpool;
  planOf(table: Table): TablePlan;
  /** Columns that number rows, and got numbers of the file. */
  readonly numberedColumns: Map<Column, Table>;
  /** Names of tables of which rows have come. */
  readonly startedTables: Set<string>;
  /** Keys that point at columns which the rows change, by the names of those. */
  readonly keyWatches: Map<string, ForeignKeyWatch>;
}

async function prepareLoad(
  { database, schemas, folder }: LoadContext,
  { tables }: LoadSource,
  options: LoadOptions,
): Promise<LoadState> {
  const plans = new Map<string, TablePlan>();
  const planOf = (table: Table): TablePlan => {
    const plan = plans.get(table.name) ?? planTable(database.dialect, table, options);
    plans.set(table.name, plan);
    return plan;
  };
  tables?.forEach(planOf);
  return {
    database,
    schema: (await schemas.current()).schema,
    tables,
    options,
    tally: createTally(tables ?? []),
    folder,
    spool: createRowSpool(folder, 'waiting'),
    planOf,
    numberedColumns: new Map(),
    startedTables: new Set(),
    keyWatches: new Map(),
  };
}

/** Thrown to undo what went well. */
class DryRun extends Error {}

async function loadInTransaction(load: LoadState, chunks: ReadAhead): Promise<void> {
  let isDone = false;
  try {
    await writeTransaction(load.database, async (session) => {
      await perform(load, createLoadSession(load, session), chunks);
      isDone = true;
    });
  } catch (error) {
    if (error instanceof DryRun) return;
    throw (isDone ? keyCheckError(error) : undefined) ?? error;
  }
}

/** To leave a bad row out, its keys must be looked at when it is written. */
function createLoadSession(
  { database: { dialect }, options, tally }: LoadState,
  session: Transaction,
): LoadSession {
  const defers = dialect.loading.defersAllForeignKeys && options.onError === 'abort';
  return { session, dialect, options, tally, defers };
}

async function perform(load: LoadState, loading: LoadSession, chunks: ReadAhead): Promise<void> {
  const { options, tables = [], schema } = load;
  const { deferForeignKeys } = loading.dialect.writing;
  if (loading.defers && deferForeignKeys !== undefined)
    await runText(loading.session, deferForeignKeys);
  const outer = await watchIncomingKeys(load, loading);
  const emptied =
    options.mode === 'replace' ? await emptyTables(loading, tables, schema) : undefined;
  try {
    await loadChunks(load, loading, chunks);
    await loadDeferredRows(loading, { ...load, disabledKeys: emptied?.keys ?? [] });
    await emptied?.verifyAndEnable();
  } catch (error) {
    await emptied?.enableAfterFailure();
    throw error;
  }
  // Also what the commit looks at: a dry run is to end as the real one does.
  await loading.session.checkKeys().catch((error: unknown) => {
    throw keyCheckError(error) ?? error;
  });
  await outer?.mustHold();
  for (const watch of load.keyWatches.values()) await watch.mustHold();
  // Last, as a rollback may not undo it.
  await moveIdentities(load, loading);
  if (options.dryRun) throw new DryRun();
}

async function loadChunks(load: LoadState, loading: LoadSession, chunks: ReadAhead): Promise<void> {
  for (let chunk = await chunks.next(); chunk !== undefined; chunk = await chunks.next()) {
    if (chunk.rows.length === 0) continue;
    const { table, toBatch } = load.planOf(chunk.table);
    const batch = toBatch(chunk);
    await startTable(load, loading, table);
    noteNumberedColumns(load, batch);
    await watchReferenced(load, loading, batch);
    if (load.spool.has(table)) load.spool.write(batch);
    else
      await loadBatch(
        loading,
        batch,
        canDeferRows(load, loading, table) ? { onMissingParents: load.spool.write } : {},
      );
  }
}

/** Once for each. */
async function startTable(
  { startedTables: begun }: LoadState,
  loading: LoadSession,
  table: Table,
): Promise<void> {
  if (loading.defers || begun.has(table.name)) return;
  begun.add(table.name);
  for (const text of loading.dialect.loading.checkKeysImmediately(table))
    await runText(loading.session, text);
}

/** Whether a row that is pointed at may come after the one that points at it. */
function canDeferRows(
  { tables }: LoadState,
  { defers }: LoadSession,
  { name, foreignKeys }: Table,
): boolean {
  if (defers) return false;
  return foreignKeys.some(
    (key) =>
      key.table === name ||
      tables === undefined ||
      tables.some((table) => table.name === key.table),
  );
}

function noteNumberedColumns(
  { numberedColumns: numbered }: LoadState,
  { columns, table }: LoadBatch,
): void {
  for (const column of columns) if (column.autoIncrement === true) numbered.set(column, table);
}

async function moveIdentities(
  { numberedColumns: numbered, tally, options }: LoadState,
  { session, dialect }: LoadSession,
): Promise<void> {
  const { savepoint } = dialect.loading;
  for (const [column, table] of numbered) {
    const move = dialect.ddl.moveIdentity(table, column.name, options.dryRun);
    if (move === undefined) continue;
    await runText(session, savepoint.set);
    try {
      await runText(session, move);
    } catch (error) {
      if (!(error instanceof StudioError) || error.code !== 'permission_denied') throw error;
      await runText(session, savepoint.undo);
      tally.warn(
        `The numbers of column "${column.name}" of table "${table.name}" could not be moved past those of the file: ${error.message}`,
      );
    }
  }
}

/** Rows outside the file that point into tables which are emptied: the commit would not say which. */
async function watchIncomingKeys(
  { options, tables = [], schema }: LoadState,
  loading: LoadSession,
): Promise<ForeignKeyWatch | undefined> {
  if (options.mode !== 'replace' || !loading.dialect.loading.defersAllForeignKeys) return undefined;
  return watchForeignKeys(loading, incomingKeys(schema, tables), { schema });
}

/** Where an update changes what other rows point at, the commit would not say which do. */
async function watchReferenced(
  { schema, keyWatches: watches }: LoadState,
  loading: LoadSession,
  { table, columns, conflict }: LoadBatch,
): Promise<void> {
  if (conflict.kind !== 'update' || !loading.dialect.loading.defersAllForeignKeys) return;
  const fixed = new Set(conflict.key.map(({ column }) => column.name));
  const changed = columns.map(({ name }) => name).filter((name) => !fixed.has(name));
  const signature = JSON.stringify([table.name, changed]);
  if (watches.has(signature)) return;
  const keys = foreignKeysOfAndTo(schema, [table]).filter(
    ({ key }) =>
      key.table === table.name && key.referencedColumns.some((name) => changed.includes(name)),
  );
  watches.set(signature, await watchForeignKeys(loading, keys, { schema }));
}
