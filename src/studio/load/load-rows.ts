/**
 * Writes rows in bulk in one transaction, with the options of an import: conflicts, errors in rows, and
 * foreign keys that are checked for all rows together.
 */
import { isOutcomeUnknown, StudioError } from '../../model/errors.ts';
import { runText, keyCheckError, loadBatch } from './load-batch.ts';
import { planTable } from './load-plan.ts';
import { emptyTables, incomingKeys } from './empty-tables.ts';
import { encodeAhead } from './encode-ahead.ts';
import { createRowSpool } from './row-spool.ts';
import { createUnnumberedRows } from './unnumbered-rows.ts';
import { foreignKeysOfAndTo } from '../core/foreign-key-groups.ts';
import { moveCounters, moveIdentities, recordNumberedColumns } from './move-counters.ts';
import { watchCounters } from './restore-counters.ts';
import { watchForeignKeys } from './watch-foreign-keys.ts';
import { createMovedReferences } from './moved-references.ts';
import { createProgressReport } from './load-progress.ts';
import { createTally } from './load-tally.ts';
import { loadDeferredRows } from './load-deferred-rows.ts';
import { createCyclePreparation } from './prepare-cycles.ts';
import { readAhead, SourceError } from './read-ahead.ts';
import { writeTransaction } from '../core/write-transaction.ts';
import type { Database, Session, Transaction } from '../../model/database.ts';
import type { LoadCapability } from '../core/capabilities.ts';
import type { RowChange } from '../../model/load-dialect.ts';
import type { LoadOptions, LoadOutcome, LoadReport, RowChunk } from '../../model/load.ts';
import type { Column, Schema, Table } from '../../model/schema.ts';
import type { Context } from '../core/context.ts';
import type { LoadBatch, LoadSession } from './load-batch.ts';
import type { ForeignKeyWatch } from './watch-foreign-keys.ts';
import type { MovedReferences } from './moved-references.ts';
import type { TablePlan } from './load-plan.ts';
import type { ProgressReport } from './load-progress.ts';
import type { RowSpool } from './row-spool.ts';
import type { UnnumberedRows } from './unnumbered-rows.ts';
import type { CounterWatch } from './restore-counters.ts';
import type { Tally } from './load-tally.ts';
import type { PrepareCycles } from './prepare-cycles.ts';
import type { ReadAhead } from './read-ahead.ts';

export interface LoadContext extends Pick<Context<LoadCapability>, 'database' | 'schemas'> {
  /** A temporary folder for deferred rows: those that come before the rows that they reference. */
  readonly folder: string;
}

export interface LoadSource {
  /** The tables of the rows, if they are known before reading the file. */
  readonly tables: readonly Table[] | undefined;
  readonly batches: AsyncIterable<RowChunk>;
  /** Runs first in the transaction, and makes it begin even without rows: creates the tables. */
  readonly begin?: (session: Session) => Promise<void>;
  /** The names of the tables that the import creates. If it fails, it leaves none of them. */
  readonly createdTables?: ReadonlySet<string>;
  /** Runs once all rows are written and checked: creates triggers, which must not run for them. */
  readonly finish?: (session: Session, report: LoadReport) => Promise<void>;
  /** The structure that `begin` leaves. That of the database when absent. */
  readonly schema?: Schema;
}

/** Loads the rows in one transaction. It begins with the first rows, so that a file without rows takes no lock. */
export async function loadRows(
  context: LoadContext,
  source: LoadSource,
  options: LoadOptions,
): Promise<LoadOutcome> {
  const load = await prepareLoad(context, source, options);
  const chunks = readAhead(source.batches, context.database.dialect.load.rowsPerBatch);
  try {
    const hasRows = await chunks.hasNext();
    const hasCounters = (options.counters?.().length ?? 0) > 0;
    if (hasRows || hasCounters || options.mode === 'replace' || source.begin !== undefined)
      await loadInTransaction(load, chunks);
    return { kind: 'loaded', report: load.tally.report() };
  } catch (error) {
    return failedLoad(load, error);
  } finally {
    await chunks.close();
    load.spool.close();
    load.unnumbered.close();
  }
}

/** Throws errors that are about neither the rows nor their source, such as a lost connection. */
function failedLoad({ tally }: LoadState, error: unknown): LoadOutcome {
  const report = tally.report();
  if (error instanceof SourceError) return { kind: 'source_failed', report, error: error.cause };
  if (!(error instanceof StudioError)) throw error;
  if (error.code === 'import_failed') return { kind: 'rejected', report, error };
  if (report.counterWarnings.length === 0) throw error;
  const message = [error.message, ...report.counterWarnings].join(' ');
  throw new StudioError(error.code, message, error.details);
}

interface LoadState {
  readonly database: Database<LoadCapability>;
  readonly schema: Schema;
  readonly tables: readonly Table[] | undefined;
  readonly begin: LoadSource['begin'];
  readonly finish: LoadSource['finish'];
  readonly options: LoadOptions;
  readonly tally: Tally;
  readonly progress: ProgressReport;
  readonly folder: string;
  readonly spool: RowSpool;
  readonly unnumbered: UnnumberedRows;
  readonly plans: ReadonlyMap<string, TablePlan>;
  planOf(table: Table): TablePlan;
  readonly prepareCycles: PrepareCycles;
  readonly movedReferences: MovedReferences;
  /** Identity columns that received values of the file, each with its table. */
  readonly numberedColumns: Map<Column, Table>;
  /** The names of tables that have received rows. */
  readonly startedTables: Set<string>;
  /** Foreign keys that reference columns which the load updates, by table and columns. */
  readonly keyWatches: Map<string, ForeignKeyWatch>;
  readonly counterWatch: CounterWatch;
}

async function prepareLoad(
  { database, schemas, folder }: LoadContext,
  { tables, begin, finish, createdTables, schema: createdSchema }: LoadSource,
  options: LoadOptions,
): Promise<LoadState> {
  const plans = new Map<string, TablePlan>();
  const planOf = (table: Table): TablePlan => {
    const plan = plans.get(table.name) ?? planTable(database.dialect, table, options);
    plans.set(table.name, plan);
    return plan;
  };
  tables?.forEach(planOf);
  const schema = createdSchema ?? (await schemas.current()).schema;
  const tally = createTally(tables ?? []);
  return {
    database,
    schema,
    tables,
    begin,
    finish,
    options,
    tally,
    progress: createProgressReport(options.onProgress),
    folder,
    spool: createRowSpool(folder, 'waiting'),
    unnumbered: createUnnumberedRows(folder, options),
    plans,
    planOf,
    prepareCycles: createCyclePreparation(),
    movedReferences: createMovedReferences(schema),
    numberedColumns: new Map(),
    startedTables: new Set(),
    keyWatches: new Map(),
    counterWatch: watchCounters(database, tally, { schema, createdTables }),
  };
}

/** Thrown to roll back a dry run that succeeded. */
class DryRun extends Error {}

async function loadInTransaction(load: LoadState, chunks: ReadAhead): Promise<void> {
  let isDone = false;
  try {
    await writeTransaction(
      (work: (session: Transaction<'load'>) => Promise<void>) =>
        load.database.transaction('load', work),
      async (session) => {
        await load.counterWatch.begin(session);
        try {
          await perform(load, createLoadSession(load, session), chunks);
        } catch (error) {
          await load.counterWatch.end(session);
          throw error;
        }
        isDone = true;
      },
    );
  } catch (error) {
    const isRolledBack = !(isDone && error instanceof StudioError && isOutcomeUnknown(error));
    if (isRolledBack) await load.counterWatch.restore();
    if (error instanceof DryRun) return;
    throw (isDone ? keyCheckError(error) : undefined) ?? error;
  }
}

/** If bad rows are skipped, keys must be checked row by row and cannot be deferred to the commit. */
function createLoadSession(
  { database: { dialect }, options, tally, progress }: LoadState,
  session: Transaction<'load'>,
): LoadSession {
  const defers = dialect.load.defersAllForeignKeys && options.onError === 'abort';
  return {
    session,
    dialect,
    options,
    tally,
    progress,
    defers,
    preparedKeys: new Set(),
    beforeCommit: new Set(),
  };
}

async function perform(
  load: LoadState,
  loadSession: LoadSession,
  chunks: ReadAhead,
): Promise<void> {
  const { options, tables = [], schema } = load;
  await load.begin?.(loadSession.session);
  const { deferForeignKeys } = loadSession.dialect.write;
  if (loadSession.defers && deferForeignKeys !== undefined)
    await runText(loadSession.session, deferForeignKeys);
  const incomingWatch = await watchIncomingKeys(load, loadSession);
  if (!loadSession.defers) await load.prepareCycles(loadSession, tables, tables);
  if (options.mode === 'replace')
    for (const table of tables) {
      await watchSideWrites(load, loadSession, table);
      await rememberCounters(load, loadSession, table);
    }
  const emptied =
    options.mode === 'replace' ? await emptyTables(loadSession, tables, schema) : undefined;
  try {
    await loadChunks(load, loadSession, chunks);
    await loadDeferredRows(loadSession, { ...load, disabledKeys: emptied?.keys ?? [] });
    await load.unnumbered.load(loadSession);
    await emptied?.verifyAndEnable();
  } catch (error) {
    await emptied?.enableAfterFailure();
    throw error;
  }
  // Check what the commit would check, so that a dry run finds the same errors.
  await loadSession.session.checkForeignKeys().catch((error: unknown) => {
    throw keyCheckError(error) ?? error;
  });
  await incomingWatch?.rejectNewViolations();
  for (const watch of load.keyWatches.values()) await watch.rejectNewViolations();
  for (const text of loadSession.beforeCommit) await runText(loadSession.session, text);
  await load.finish?.(loadSession.session, load.tally.report());
  // Last, because a rollback may not undo it.
  await moveIdentities(loadSession, load.numberedColumns);
  await moveCounters(loadSession, options.counters?.() ?? []);
  if (options.dryRun) throw new DryRun();
}

async function loadChunks(
  load: LoadState,
  loadSession: LoadSession,
  chunks: ReadAhead,
): Promise<void> {
  const readOn = (): void => chunks.readOn((next) => encodeAhead(load, loadSession.session, next));
  for (let chunk = await chunks.next(); chunk !== undefined; chunk = await chunks.next()) {
    if (chunk.rows.length === 0) continue;
    load.progress.received(chunk);
    const { table, toBatch } = load.planOf(chunk.table);
    const batch = toBatch(chunk);
    await startTable(load, loadSession, table);
    await watchSideWrites(load, loadSession, table);
    recordNumberedColumns(load.numberedColumns, batch);
    warnOfFixedColumns(load, batch);
    await rememberCounters(load, loadSession, table);
    await watchReferenced(load, loadSession, batch);
    const numbered = load.unnumbered.holdBack(batch);
    if (numbered.rows.length > 0) await writeOrDefer({ load, loadSession, readOn }, numbered);
  }
}

interface ChunkLoading {
  readonly load: LoadState;
  readonly loadSession: LoadSession;
  /** Begins to read the next chunk. */
  readonly readOn: () => void;
}

async function writeOrDefer(
  { load, loadSession, readOn }: ChunkLoading,
  batch: LoadBatch,
): Promise<void> {
  const { spool, movedReferences } = load;
  const defer = async (deferred: LoadBatch): Promise<void> => {
    spool.write(deferred);
    await movedReferences.remember(loadSession, deferred);
  };
  if (spool.has(batch.table)) {
    readOn();
    return defer(batch);
  }
  await movedReferences.mustNotReference(loadSession, batch);
  const events = canDeferRows(load, loadSession, batch.table) ? { onMissingParents: defer } : {};
  return loadBatch(loadSession, batch, { ...events, onSent: readOn });
}

/** Makes the database check the table's keys with every statement, unless they are deferred. Once for each table. */
async function startTable(
  { startedTables, tables, schema, prepareCycles }: LoadState,
  loadSession: LoadSession,
  table: Table,
): Promise<void> {
  if (loadSession.defers || startedTables.has(table.name)) return;
  startedTables.add(table.name);
  if (tables === undefined) await prepareCycles(loadSession, [table], schema.tables);
  for (const text of loadSession.dialect.load.checkKeysImmediately(table))
    await runText(loadSession.session, text);
}

/** Watches the foreign keys of rows that triggers and foreign key actions write, where the database only counts violations. Once for each table. */
async function watchSideWrites(
  load: LoadState,
  loadSession: LoadSession,
  table: Table,
): Promise<void> {
  const { options, schema, keyWatches, tables = [] } = load;
  const watchKey = JSON.stringify(['side writes', table.name]);
  if (keyWatches.has(watchKey)) return;
  const changes = changesOf(load, loadSession, table);
  const names = new Set(
    await loadSession.session.uncheckedIndirectlyWrittenTables(table, [...changes]),
  );
  const writtenTables = schema.tables.filter(({ localName }) => names.has(localName));
  const emptied = options.mode === 'replace' ? tables : [];
  const keys = foreignKeysOfAndTo(schema, writtenTables);
  keyWatches.set(watchKey, await watchForeignKeys(loadSession, keys, { schema, emptied }));
}

/** How the load may change rows of the table. */
function changesOf(
  load: LoadState,
  loadSession: LoadSession,
  table: Table,
): ReadonlySet<RowChange> {
  const { options } = load;
  const changes = new Set<RowChange>(['insert']);
  const mayBeRewritten = canDeferRows(load, loadSession, table);
  if (options.onConflict === 'update' || mayBeRewritten) changes.add('update');
  if (options.mode === 'replace' || mayBeRewritten) changes.add('delete');
  return changes;
}

async function rememberCounters(
  load: LoadState,
  loadSession: LoadSession,
  table: Table,
): Promise<void> {
  await load.counterWatch.remember(loadSession.session, table, changesOf(load, loadSession, table));
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

/** Values of the file for such columns are inserted, but cannot replace those of existing rows. */
function warnOfFixedColumns({ database, tally }: LoadState, batch: LoadBatch): void {
  const { table, columns, conflict } = batch;
  if (conflict.kind !== 'update') return;
  for (const column of columns) {
    if (!database.dialect.load.rejectsUpdates(column)) continue;
    if (conflict.key.some((part) => part.column.name === column.name)) continue;
    tally.warn(
      `Existing rows of table "${table.name}" keep their value of column "${column.name}", because the database does not update an identity.`,
    );
  }
}

/** Watches foreign keys of other tables that reference the emptied tables. The error of the commit would not name the rows. */
async function watchIncomingKeys(
  { options, tables = [], schema }: LoadState,
  loadSession: LoadSession,
): Promise<ForeignKeyWatch | undefined> {
  if (options.mode !== 'replace' || !loadSession.dialect.load.defersAllForeignKeys)
    return undefined;
  return watchForeignKeys(loadSession, incomingKeys(schema, tables), { schema });
}

/** Watches foreign keys that reference columns which the load updates. The error of the commit would not name the rows. */
async function watchReferenced(
  { schema, keyWatches }: LoadState,
  loadSession: LoadSession,
  { table, columns, conflict }: LoadBatch,
): Promise<void> {
  if (conflict.kind !== 'update' || !loadSession.dialect.load.defersAllForeignKeys) return;
  const fixed = new Set(conflict.key.map(({ column }) => column.name));
  const changedColumns = columns.map(({ name }) => name).filter((name) => !fixed.has(name));
  const signature = JSON.stringify([table.name, changedColumns]);
  if (keyWatches.has(signature)) return;
  const keys = foreignKeysOfAndTo(schema, [table]).filter(
    ({ key }) =>
      key.table === table.name &&
      key.referencedColumns.some((name) => changedColumns.includes(name)),
  );
  keyWatches.set(signature, await watchForeignKeys(loadSession, keys, { schema }));
}
