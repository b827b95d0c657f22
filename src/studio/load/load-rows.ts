/**
 * Writes rows in bulk in one transaction, with the options of an import: conflicts, errors in rows, and
 * foreign keys that are checked for all rows together.
 */
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
import type { RowChange } from '../../model/load-dialect.ts';
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
  /** A temporary folder for rows that wait for their parents. */
  readonly folder: string;
}

export interface LoadSource {
  /** The tables of the rows, if they are known before reading the file. */
  readonly tables: readonly Table[] | undefined;
  readonly chunks: AsyncIterable<RowChunk>;
}

/** Loads the rows in one transaction. It begins with the first rows, so that a file without rows takes no lock. */
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
  /** Identity columns that received values of the file, each with its table. */
  readonly numberedColumns: Map<Column, Table>;
  /** The names of tables that have received rows. */
  readonly startedTables: Set<string>;
  /** Foreign keys that reference columns which the load updates, by table and columns. */
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

/** Thrown to roll back a dry run that succeeded. */
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

/** If bad rows are skipped, keys must be checked row by row and cannot be deferred to the commit. */
function createLoadSession(
  { database: { dialect }, options, tally }: LoadState,
  session: Transaction,
): LoadSession {
  const defers = dialect.loading.defersAllForeignKeys && options.onError === 'abort';
  return { session, dialect, options, tally, defers, beforeCommit: new Set() };
}

async function perform(
  load: LoadState,
  loadSession: LoadSession,
  chunks: ReadAhead,
): Promise<void> {
  const { options, tables = [], schema } = load;
  const { deferForeignKeys } = loadSession.dialect.writing;
  if (loadSession.defers && deferForeignKeys !== undefined)
    await runText(loadSession.session, deferForeignKeys);
  const outer = await watchIncomingKeys(load, loadSession);
  if (options.mode === 'replace')
    for (const table of tables) await watchSideWrites(load, loadSession, table);
  const emptied =
    options.mode === 'replace' ? await emptyTables(loadSession, tables, schema) : undefined;
  try {
    await loadChunks(load, loadSession, chunks);
    await loadDeferredRows(loadSession, { ...load, disabledKeys: emptied?.keys ?? [] });
    await emptied?.verifyAndEnable();
  } catch (error) {
    await emptied?.enableAfterFailure();
    throw error;
  }
  // Check what the commit would check, so that a dry run finds the same errors.
  await loadSession.session.checkForeignKeys().catch((error: unknown) => {
    throw keyCheckError(error) ?? error;
  });
  await outer?.mustHold();
  for (const watch of load.keyWatches.values()) await watch.mustHold();
  for (const text of loadSession.beforeCommit) await runText(loadSession.session, text);
  // Last, because a rollback may not undo it.
  await moveIdentities(load, loadSession);
  if (options.dryRun) throw new DryRun();
}

async function loadChunks(
  load: LoadState,
  loadSession: LoadSession,
  chunks: ReadAhead,
): Promise<void> {
  for (let chunk = await chunks.next(); chunk !== undefined; chunk = await chunks.next()) {
    if (chunk.rows.length === 0) continue;
    const { table, toBatch } = load.planOf(chunk.table);
    const batch = toBatch(chunk);
    await startTable(load, loadSession, table);
    await watchSideWrites(load, loadSession, table);
    noteNumberedColumns(load, batch);
    await watchReferenced(load, loadSession, batch);
    if (load.spool.has(table)) load.spool.write(batch);
    else
      await loadBatch(
        loadSession,
        batch,
        canDeferRows(load, loadSession, table) ? { onMissingParents: load.spool.write } : {},
      );
  }
}

/** Makes the database check the table's keys with every statement, unless they are deferred. Once for each table. */
async function startTable(
  { startedTables: begun }: LoadState,
  loadSession: LoadSession,
  table: Table,
): Promise<void> {
  if (loadSession.defers || begun.has(table.name)) return;
  begun.add(table.name);
  for (const text of loadSession.dialect.loading.checkKeysImmediately(table))
    await runText(loadSession.session, text);
}

/** Watches the foreign keys of rows that triggers and foreign key actions write, where the database only counts violations. Once for each table. */
async function watchSideWrites(
  load: LoadState,
  loadSession: LoadSession,
  table: Table,
): Promise<void> {
  const { options, schema, keyWatches, tables = [] } = load;
  const sign = JSON.stringify(['side writes', table.name]);
  if (keyWatches.has(sign)) return;
  const changes: RowChange[] = ['insert'];
  const isRevised = canDeferRows(load, loadSession, table);
  if (options.onConflict === 'update' || isRevised) changes.push('update');
  if (options.mode === 'replace' || isRevised) changes.push('delete');
  const names = new Set(await loadSession.session.uncheckedSideWrites(table, changes));
  const written = schema.tables.filter(({ localName }) => names.has(localName));
  const emptied = options.mode === 'replace' ? tables : [];
  const keys = foreignKeysOfAndTo(schema, written);
  keyWatches.set(sign, await watchForeignKeys(loadSession, keys, { schema, emptied }));
}

/** Whether a row may come before the row that it references, and must then wait for it. */
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
    const move = dialect.ddl.advanceIdentity(table, column.name, options.dryRun);
    if (move === undefined) continue;
    await runText(session, savepoint.set);
    try {
      await runText(session, move);
    } catch (error) {
      if (!(error instanceof StudioError) || error.code !== 'permission_denied') throw error;
      await runText(session, savepoint.undo);
      tally.warn(
        `The sequence of column "${column.name}" of table "${table.name}" could not be advanced past the values of the file: ${error.message}`,
      );
    }
  }
}

/** Watches foreign keys of other tables that reference the emptied tables. The error of the commit would not name the rows. */
async function watchIncomingKeys(
  { options, tables = [], schema }: LoadState,
  loadSession: LoadSession,
): Promise<ForeignKeyWatch | undefined> {
  if (options.mode !== 'replace' || !loadSession.dialect.loading.defersAllForeignKeys)
    return undefined;
  return watchForeignKeys(loadSession, incomingKeys(schema, tables), { schema });
}

/** Watches foreign keys that reference columns which the load updates. The error of the commit would not name the rows. */
async function watchReferenced(
  { schema, keyWatches: watches }: LoadState,
  loadSession: LoadSession,
  { table, columns, conflict }: LoadBatch,
): Promise<void> {
  if (conflict.kind !== 'update' || !loadSession.dialect.loading.defersAllForeignKeys) return;
  const fixed = new Set(conflict.key.map(({ column }) => column.name));
  const changed = columns.map(({ name }) => name).filter((name) => !fixed.has(name));
  const signature = JSON.stringify([table.name, changed]);
  if (watches.has(signature)) return;
  const keys = foreignKeysOfAndTo(schema, [table]).filter(
    ({ key }) =>
      key.table === table.name && key.referencedColumns.some((name) => changed.includes(name)),
  );
  watches.set(signature, await watchForeignKeys(loadSession, keys, { schema }));
}
