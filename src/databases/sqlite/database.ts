import { listOtherObjects, listTriggers } from './catalog/catalog.ts';
import { bindingsOf } from './driver/bindings.ts';
import { sqliteDialect } from './dialect/dialect.ts';
import { estimateTableRows } from './catalog/estimate-rows.ts';
import { messageOf, readWholeFile } from './dialect/errors.ts';
import { introspect, withRevision } from './catalog/introspect.ts';
import { readOnlyReason } from './driver/read-only-reason.ts';
import { errorOffset } from './driver/error-offset.ts';
import { openLive } from './driver/live-connection.ts';
import { createLoader } from './load/load.ts';
import { isBoundedRead } from './effects/plan.ts';
import {
  initialReadMode,
  realColumns,
  readAll,
  readBatches,
  readOnce,
  writtenResult,
} from './driver/read-rows.ts';
import { isRepeatable } from './effects/repeatable.ts';
import { beginWrite, control, inSnapshot } from './driver/transaction-control.ts';
import { createMutex } from './driver/mutex.ts';
import { runAll } from './driver/run-all.ts';
import { resultType } from './dialect/types.ts';
import { readStream, streamOf } from './driver/read-stream.ts';
import type { Capability } from '../../model/capabilities.ts';
import type {
  Database,
  PoolStats,
  Query,
  Result,
  RunOptions,
  Session,
  Transaction,
  TransactionMode,
} from '../../model/database.ts';
import type { InsertOptions } from '../../model/load-session.ts';
import type { InsertBatch } from '../../model/load-dialect.ts';
import type { RowStream } from '../../model/rows.ts';
import type { ColumnInfo, Table } from '../../model/schema.ts';
import type { Row } from '../../model/values.ts';
import type { ConnectOptions, Connection, Statement } from './driver/driver.ts';
import type { LiveConnection } from './driver/live-connection.ts';
import type { Loader } from './load/load.ts';
import type { RowReader } from './driver/read-rows.ts';

/** An open file with its state and caches. */
interface OpenFile {
  readonly path: string;
  readonly live: LiveConnection;
  /** Results of `isBoundedRead`, by SQL text. Cleared when the structure changes. */
  readonly boundedPlans: Map<string, boolean>;
  /** Results of `isRepeatable`, by SQL text. Cleared when the structure changes. */
  readonly repeatableQueries: Map<string, boolean>;
  readonly streams: Set<Generator<readonly Row[], void>>;
  /** Counts the writes and rollbacks of this connection, which `PRAGMA data_version` does not. */
  writes: number;
  /** A client's own statement may have changed settings of the connection. */
  needsReset: boolean;
  lastVersions: FileVersions;
}

interface FileVersions {
  /** Changes with every commit. */
  readonly content: string;
  readonly structure: string;
}

/**
 * One connection to a file. The driver is synchronous, so a statement cannot be interrupted: the caller
 * enforces time limits by killing the process. While a stream is being read, the connection rejects
 * writes and transactions. Transactions, and statements outside of them, run one at a time.
 */
export function openDatabase(options: ConnectOptions): Database<Capability> {
  const openFile: OpenFile = {
    path: options.path,
    live: openLive(options),
    boundedPlans: new Map(),
    repeatableQueries: new Map(),
    streams: new Set(),
    writes: 0,
    needsReset: false,
    lastVersions: { content: '', structure: '' },
  };
  const mutex = createMutex();
  const { live } = openFile;
  const transaction: Database<Capability>['transaction'] = (mode, work) =>
    mutex.runExclusive(() => resetAfter(openFile, () => transact(openFile, mode, work)));
  const introspectFile = asPromise(() =>
    readWholeFile(() =>
      inSnapshot(live.current(), (connection) =>
        withRevision(introspect(connection, openFile.path), readVersions(openFile).structure),
      ),
    ),
  );
  return {
    dialect: sqliteDialect,
    run: (query, runOptions) => mutex.runExclusive(() => run(openFile, query, runOptions)),
    stream: (query, runOptions) => mutex.runExclusive(() => stream(openFile, query, runOptions)),
    transaction,
    runOutsideTransaction: (work) =>
      work({
        run: (query, runOptions) => mutex.runExclusive(() => run(openFile, query, runOptions)),
        stream: (query) =>
          mutex.runExclusive(() => resetAfter(openFile, () => streamAtOnce(openFile, query))),
      }),
    errorOffset: (error, text) => errorOffset(messageOf(error) ?? '', text, live.current()),
    ...constantMembers,
    read: (work) => transaction('read', work),
    introspect: introspectFile,
    introspectWithin: introspectFile,
    otherObjects: asPromise(() => listOtherObjects(live.current())),
    storedPrograms: asPromise(() => listTriggers(live.current())),
    ...versionReaders(openFile),
    changesOnlyByCommits: asPromise((query: Query) =>
      cachedResult(openFile, openFile.repeatableQueries, { query, check: isRepeatable }),
    ),
    isPageCostBounded: asPromise((query: Query) =>
      cachedResult(openFile, openFile.boundedPlans, { query, check: isBoundedRead }),
    ),
    estimateResultRows: () => Promise.resolve(undefined),
    estimateTableRows: asPromise((tables) =>
      inSnapshot(live.current(), (connection) => estimateTableRows(connection, tables)),
    ),
    serverState: async () => ({ readOnlyReason: await readOnlyReason(openFile.path) }),
    poolStats: () => oneConnection,
    close: asPromise(() => live.close()),
  };
}

function versionReaders(openFile: OpenFile) {
  const structure = asPromise(() => readVersions(openFile).structure);
  return {
    structureVersion: structure,
    isStructureVersionCheap: true,
    revisionOf: structure,
    // The transaction's snapshot begins here at the latest, and it includes the structure.
    holdTables: asPromise((_session: Session, tables: readonly Table[]) => {
      const current = readVersions(openFile).structure;
      return tables.every(({ revision }) => revision === current);
    }),
    changeToken: asPromise(() => readVersions(openFile).content),
  } satisfies Partial<Database<Capability>>;
}

const constantMembers = {
  effectsOf: () => Promise.resolve([]),
  effectsOfReading: () => Promise.resolve([]),
  hasSnapshot: () => Promise.resolve(true),
} satisfies Partial<Database<Capability>>;

const oneConnection: PoolStats = {
  maxOpenConnections: 1,
  openConnections: 1,
  inUse: 0,
  idle: 1,
  waitCount: 0,
  waitDurationMs: 0,
};

/** Wraps a function in one that returns a promise, also of its exceptions. */
function asPromise<A extends readonly unknown[], T>(
  work: (...args: A) => T | Promise<T>,
): (...args: A) => Promise<T> {
  // oxlint-disable-next-line typescript/require-await -- an exception becomes a rejection
  return async (...args) => work(...args);
}

// Statements

function run(openFile: OpenFile, query: Query, { signal }: RunOptions = {}): Result {
  signal?.throwIfAborted();
  const connection = openFile.live.current();
  if (pragmaAssignment.test(query.text)) return runWrite(connection.prepare(query.text), query);
  const statement = connection.statement(query.text);
  if (!statement.isReadOnly) openFile.writes += 1;
  if (!statement.isReadOnly || !statement.isReader) return runWrite(statement, query);
  const rows = readAll(readerOf(connection, query), initialReadMode(query.columns));
  return { columns: columnsOf(query, statement), rows, rowsAffected: 0 };
}

/** Opens a new connection after a statement that may have changed settings. */
async function resetAfter<T>(openFile: OpenFile, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    if (openFile.needsReset) {
      openFile.needsReset = false;
      closeStreams(openFile);
      openFile.live.reset();
    }
  }
}

/** A PRAGMA may take effect when it is prepared, so a cached statement would do it only once. */
const pragmaAssignment = /^\s*PRAGMA\s+[\w.]+\s*=/i;

/** With RETURNING, each changed row is a result row. */
function runWrite(statement: Statement, query: Query): Result {
  const bindings = bindingsOf(query.text, query.params);
  if (!statement.isReader) return writtenResult(statement.write(bindings));
  const rows = statement.all(bindings, true);
  return { columns: columnsOf(query, statement), rows, rowsAffected: rows.length };
}

function readerOf(connection: Connection, query: Query): RowReader {
  return {
    query,
    bindings: bindingsOf(query.text, query.params),
    prepare: connection.statement,
    isReal: realColumns(query.columns),
    storesUtf8: () => connection.statement('PRAGMA encoding').all([], false)[0]?.[0] === 'UTF-8',
  };
}

function columnsOf(query: Query, statement: Statement): readonly ColumnInfo[] {
  return (
    query.columns ?? statement.columns().map(({ name, type }) => resultColumn(name, type ?? ''))
  );
}

function resultColumn(name: string, nativeType: string): ColumnInfo {
  return { name, type: resultType(nativeType), nativeType, dynamic: true };
}

function stream(openFile: OpenFile, query: Query, { signal }: RunOptions = {}): RowStream {
  const connection = openFile.live.current();
  if (pragmaAssignment.test(query.text)) return streamAtOnce(openFile, query);
  const statement = connection.statement(query.text);
  if (!statement.isReader) {
    openFile.writes += 1;
    openFile.needsReset ||= !rowWrite.test(query.text);
    return streamOf(runWrite(statement, query));
  }
  if (!statement.isReadOnly) return streamWrite(openFile, statement, query);
  const columns = columnsOf(query, statement);
  const reader = readerOf(connection, query);
  const batches = readBatches(reader, initialReadMode(query.columns));
  return { columns, batches: readStream(openFile.streams, batches, signal) };
}

const rowWrite = /^\s*(?:INSERT|UPDATE|DELETE|REPLACE|WITH)\b/i;

/** Reads all rows first, because the connection may be reset before the caller reads them. */
function streamAtOnce(openFile: OpenFile, query: Query): RowStream {
  openFile.writes += 1;
  openFile.needsReset = true;
  const result = runWrite(openFile.live.current().prepare(query.text), query);
  return streamOf({ ...result, rowsAffected: 0 });
}

/** SQLite writes all rows before RETURNING returns the first one. */
function streamWrite(openFile: OpenFile, statement: Statement, query: Query): RowStream {
  openFile.writes += 1;
  const batches = readOnce(statement, bindingsOf(query.text, query.params));
  return {
    columns: columnsOf(query, statement),
    batches: readStream(openFile.streams, batches, undefined),
  };
}

// Transactions

/** `read` makes the connection read-only for the transaction. */
async function transact<T>(
  openFile: OpenFile,
  mode: TransactionMode,
  work: (session: Transaction<Capability>) => Promise<T>,
): Promise<T> {
  const connection = openFile.live.current();
  const limitsToReads = mode === 'read' && !connection.isReadOnly;
  if (mode === 'read') control(connection, 'BEGIN');
  else beginWrite(connection);
  if (limitsToReads) connection.execute('PRAGMA query_only = ON');
  const loader = createLoader(connection);
  const { session, end } = openSession(openFile, loader);
  try {
    const result = await work(session);
    closeStreams(openFile);
    commit(connection, loader);
    return result;
  } catch (error) {
    closeStreams(openFile);
    if (connection.inTransaction) control(connection, 'ROLLBACK');
    if (mode !== 'read') openFile.writes += 1;
    throw error;
  } finally {
    end();
    if (limitsToReads) connection.execute('PRAGMA query_only = OFF');
  }
}

/** A failed commit must be explained before its rollback, while the rows still exist. */
function commit(connection: Connection, loader: Loader): void {
  loader.finish();
  try {
    control(connection, 'COMMIT');
  } catch (error) {
    throw loader.explain(error);
  }
}

function openSession(
  openFile: OpenFile,
  loader: Loader,
): { readonly session: Transaction<Capability>; readonly end: () => void } {
  let hasEnded = false;
  const whileOpen = <A extends readonly unknown[], T>(
    work: (...args: A) => T | Promise<T>,
  ): ((...args: A) => Promise<T>) =>
    asPromise((...args: A) => {
      if (hasEnded) throw new Error('The transaction that this statement belongs to has ended.');
      return work(...args);
    });
  return {
    session: {
      run: whileOpen((query: Query, options?: RunOptions) => run(openFile, query, options)),
      runAll: whileOpen((texts: readonly string[], options?: RunOptions) => {
        openFile.writes += 1;
        return runAll(openFile.live.current(), texts, options);
      }),
      stream: whileOpen((query: Query, options?: RunOptions) => stream(openFile, query, options)),
      insert: whileOpen((batch: InsertBatch, { onSent }: InsertOptions = {}) => {
        openFile.writes += 1;
        // A read from disk goes on while the statements block this thread.
        onSent?.();
        return loader.insert(batch);
      }),
      uncheckedIndirectlyWrittenTables: whileOpen(loader.indirectlyWrittenTables),
      runsTriggers: whileOpen(loader.runsTriggers),
      mayRejectNull: whileOpen(loader.mayRejectNull),
      mayLeavePendingTriggers: () => Promise.resolve(false),
      beforeDeletingAllRows: whileOpen((table: Table) => {
        openFile.writes += 1;
        loader.beforeDeletingAllRows(table);
      }),
      checkForeignKeys: whileOpen(() => loader.checkForeignKeys()),
    },
    end: () => {
      hasEnded = true;
    },
  };
}

/** SQLite cannot end a transaction with open streams. */
function closeStreams({ streams }: OpenFile): void {
  for (const batches of streams) batches.return();
  streams.clear();
}

// Versions and cached plan checks

/**
 * `data_version` changes with commits of other connections, and `writes` with those of this one. If both
 * are unchanged, the structure is too. https://www.sqlite.org/pragma.html#pragma_data_version
 */
function readVersions(openFile: OpenFile): FileVersions {
  const { live, writes, lastVersions } = openFile;
  const connection = live.current();
  const content = `${live.generation}.${pragma(connection, 'data_version')}.${writes}`;
  if (content === lastVersions.content) return lastVersions;
  const structure = `${live.generation}.${pragma(connection, 'schema_version')}`;
  if (structure !== lastVersions.structure) {
    openFile.boundedPlans.clear();
    openFile.repeatableQueries.clear();
  }
  openFile.lastVersions = { content, structure };
  return openFile.lastVersions;
}

function pragma(connection: Connection, name: string): string {
  return String(connection.statement(`PRAGMA ${name}`).all([], false)[0]?.[0]);
}

const maxCachedResults = 1000;

interface CachedCheck {
  readonly query: Query;
  readonly check: (connection: Connection, query: Query) => boolean;
}

function cachedResult(
  openFile: OpenFile,
  cache: Map<string, boolean>,
  { query, check }: CachedCheck,
): boolean {
  readVersions(openFile);
  const cached = cache.get(query.text);
  if (cached !== undefined) return cached;
  if (cache.size >= maxCachedResults) cache.clear();
  const result = check(openFile.live.current(), query);
  cache.set(query.text, result);
  return result;
}
