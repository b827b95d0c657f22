/** Writes rows in bulk, all or nothing, by the rules of an import (conflicts, errors, foreign keys as a whole). */
import { StudioError } from '../../model/errors.ts';
import { command, keysRefusal, loadBatch } from './load-batch.ts';
import { planTable } from './load-plan.ts';
import { emptyTables, outerKeys } from './load-replace.ts';
import { createRowSpool } from './load-spool.ts';
import { keysAround } from '../core/foreign-key-groups.ts';
import { watchKeys } from './load-orphans.ts';
import { createTally } from './load-tally.ts';
import { loadWaiting } from './load-waiting.ts';
import { readAhead } from './load-ahead.ts';
import { writeTransaction } from '../core/write-transaction.ts';
import type { Database, Transaction } from '../../model/database.ts';
import type { LoadOptions, LoadReport, RowChunk } from '../../model/load.ts';
import type { Column, Schema, Table } from '../../model/schema.ts';
import type { Context } from '../core/context.ts';
import type { LoadBatch, Loading } from './load-batch.ts';
import type { KeyWatch } from './load-orphans.ts';
import type { TablePlan } from './load-plan.ts';
import type { RowSpool } from './load-spool.ts';
import type { Tally } from './load-tally.ts';
import type { ChunksAhead } from './load-ahead.ts';

export interface LoadContext extends Pick<Context, 'database' | 'schemas'> {
  /** For rows that must wait for others. */
  readonly folder: string;
}

export interface RowSource {
  /** The tables that the rows are of, where that is known before. */
  readonly tables: readonly Table[] | undefined;
  readonly chunks: AsyncIterable<RowChunk>;
}

/** One transaction; it begins when the first rows are there, so that no lock is held for a file that has none. */
export async function loadRows(
  context: LoadContext,
  source: RowSource,
  options: LoadOptions,
): Promise<LoadReport> {
  const load = await prepare(context, source, options);
  const chunks = readAhead(source.chunks, context.database.dialect.loading.rowsTogether);
  try {
    if ((await chunks.hasNext()) || options.mode === 'replace') await transact(load, chunks);
    return load.tally.report();
  } finally {
    await chunks.close();
    load.spool.close();
  }
}

interface Load {
  readonly database: Database;
  readonly schema: Schema;
  readonly tables: readonly Table[] | undefined;
  readonly options: LoadOptions;
  readonly tally: Tally;
  readonly folder: string;
  readonly spool: RowSpool;
  planOf(table: Table): TablePlan;
  /** Columns that number rows, and got numbers of the file. */
  readonly numbered: Map<Column, Table>;
  /** Names of tables of which rows have come. */
  readonly begun: Set<string>;
  /** Keys that point at columns which the rows change, by the names of those. */
  readonly watches: Map<string, KeyWatch>;
}

async function prepare(
  { database, schemas, folder }: LoadContext,
  { tables }: RowSource,
  options: LoadOptions,
): Promise<Load> {
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
    numbered: new Map(),
    begun: new Set(),
    watches: new Map(),
  };
}

/** Thrown to undo what went well. */
class DryRun extends Error {}

async function transact(load: Load, chunks: ChunksAhead): Promise<void> {
  let isDone = false;
  try {
    await writeTransaction(load.database, async (session) => {
      await perform(load, beginLoading(load, session), chunks);
      isDone = true;
    });
  } catch (error) {
    if (error instanceof DryRun) return;
    throw (isDone ? keysRefusal(error) : undefined) ?? error;
  }
}

/** To leave a bad row out, its keys must be looked at when it is written. */
function beginLoading(
  { database: { dialect }, options, tally }: Load,
  session: Transaction,
): Loading {
  const defers = dialect.loading.defersKeys && options.onError === 'abort';
  return { session, dialect, options, tally, defers };
}

async function perform(load: Load, loading: Loading, chunks: ChunksAhead): Promise<void> {
  const { options, tables = [], schema } = load;
  const { deferForeignKeys } = loading.dialect.writing;
  if (loading.defers && deferForeignKeys !== undefined)
    await command(loading.session, deferForeignKeys);
  const outer = await watchOuter(load, loading);
  const emptied =
    options.mode === 'replace' ? await emptyTables(loading, tables, schema) : undefined;
  try {
    await loadChunks(load, loading, chunks);
    await loadWaiting(loading, { ...load, suspended: emptied?.keys ?? [] });
    await emptied?.end();
  } catch (error) {
    await emptied?.giveUp();
    throw error;
  }
  // Also what the commit looks at: a dry run is to end as the real one does.
  await loading.session.checkKeys().catch((error: unknown) => {
    throw keysRefusal(error) ?? error;
  });
  await outer?.mustHold();
  for (const watch of load.watches.values()) await watch.mustHold();
  // Last, as a rollback may not undo it.
  await moveIdentities(load, loading);
  if (options.dryRun) throw new DryRun();
}

async function loadChunks(load: Load, loading: Loading, chunks: ChunksAhead): Promise<void> {
  for (let chunk = await chunks.next(); chunk !== undefined; chunk = await chunks.next()) {
    if (chunk.rows.length === 0) continue;
    const { table, toBatch } = load.planOf(chunk.table);
    const batch = toBatch(chunk);
    await beginTable(load, loading, table);
    noteNumbered(load, batch);
    await watchReferenced(load, loading, batch);
    if (load.spool.has(table)) load.spool.write(batch);
    else
      await loadBatch(
        loading,
        batch,
        mayWait(load, loading, table) ? { onOrphans: load.spool.write } : {},
      );
  }
}

/** Once for each. */
async function beginTable({ begun }: Load, loading: Loading, table: Table): Promise<void> {
  if (loading.defers || begun.has(table.name)) return;
  begun.add(table.name);
  for (const text of loading.dialect.loading.checkAtOnce(table))
    await command(loading.session, text);
}

/** Whether a row that is pointed at may come after the one that points at it. */
function mayWait({ tables }: Load, { defers }: Loading, { name, foreignKeys }: Table): boolean {
  if (defers) return false;
  return foreignKeys.some(
    (key) =>
      key.table === name ||
      tables === undefined ||
      tables.some((table) => table.name === key.table),
  );
}

function noteNumbered({ numbered }: Load, { columns, table }: LoadBatch): void {
  for (const column of columns) if (column.autoIncrement === true) numbered.set(column, table);
}

async function moveIdentities(
  { numbered, tally, options }: Load,
  { session, dialect }: Loading,
): Promise<void> {
  const { savepoint } = dialect.loading;
  for (const [column, table] of numbered) {
    const move = dialect.ddl.moveIdentity(table, column.name, options.dryRun);
    if (move === undefined) continue;
    await command(session, savepoint.set);
    try {
      await command(session, move);
    } catch (error) {
      if (!(error instanceof StudioError) || error.code !== 'permission_denied') throw error;
      await command(session, savepoint.undo);
      tally.warn(
        `The numbers of column "${column.name}" of table "${table.name}" could not be moved past those of the file: ${error.message}`,
      );
    }
  }
}

/** Rows outside the file that point into tables which are emptied: the commit would not say which. */
async function watchOuter(
  { options, tables = [], schema }: Load,
  loading: Loading,
): Promise<KeyWatch | undefined> {
  if (options.mode !== 'replace' || !loading.dialect.loading.defersKeys) return undefined;
  return watchKeys(loading, outerKeys(schema, tables), { schema });
}

/** Where an update changes what other rows point at, the commit would not say which do. */
async function watchReferenced(
  { schema, watches }: Load,
  loading: Loading,
  { table, columns, conflict }: LoadBatch,
): Promise<void> {
  if (conflict.kind !== 'update' || !loading.dialect.loading.defersKeys) return;
  const fixed = new Set(conflict.key.map(({ column }) => column.name));
  const changed = columns.map(({ name }) => name).filter((name) => !fixed.has(name));
  const sign = JSON.stringify([table.name, changed]);
  if (watches.has(sign)) return;
  const keys = keysAround(schema, [table]).filter(
    ({ key }) =>
      key.table === table.name && key.referencedColumns.some((name) => changed.includes(name)),
  );
  watches.set(sign, await watchKeys(loading, keys, { schema }));
}
