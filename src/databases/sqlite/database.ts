import { listOtherObjects } from './catalog/catalogue.ts';
import { bindingsOf } from './driver/bindings.ts';
import { sqliteDialect } from './dialect/dialect.ts';
import { estimateRows } from './catalog/estimate-rows.ts';
import { readWholeFile } from './dialect/errors.ts';
import { introspect, withRevision } from './catalog/introspect.ts';
import { openLive } from './driver/live-connection.ts';
import { createLoader } from './load/load.ts';
import { judgePlan } from './effects/plan.ts';
import {
  firstReading,
  isRealColumns,
  readAll,
  readBatches,
  readOnce,
  writtenResult,
} from './driver/read-rows.ts';
import { isRepeatable } from './effects/repeatable.ts';
import { beginWrite, control } from './driver/transaction-control.ts';
import { createTurns } from './driver/turns.ts';
import { resultType } from './dialect/types.ts';
import type {
  Database,
  PoolStats,
  Query,
  Result,
  RunOptions,
  Transaction,
  TransactionMode,
} from '../../model/database.ts';
import type { InsertBatch } from '../../model/load-dialect.ts';
import type { RowStream } from '../../model/rows.ts';
import type { ColumnInfo, Table } from '../../model/schema.ts';
import type { Row } from '../../model/values.ts';
import type { ConnectOptions, Connection, Statement } from './driver/driver.ts';
import type { LiveConnection } from './driver/live-connection.ts';
import type { Loader } from './load/load.ts';
import type { RowReader } from './driver/read-rows.ts';

/** One open file and what is known of it. */
interface Opened {
  readonly path: string;
  readonly live: LiveConnection;
  /** Whether a statement's plan is bounded, by its text, as long as the structure stays. */
  readonly bounded: Map<string, boolean>;
  /** Whether a query's rows follow commits alone, by its text, for as long as the structure stays. */
  readonly repeatable: Map<string, boolean>;
  readonly streams: Set<Generator<readonly Row[], void>>;
  /** What this connection itself may have changed: statements that write, and what was rolled back of them. */
  writes: number;
  /** A client's own statement may have set something of the connection. */
  isSet: boolean;
  last: Look;
}

/** What a look at the file tells. */
interface Look {
  /** Changes with every commit. */
  readonly content: string;
  readonly structure: string;
}

/**
 * One connection to a file. Everything underneath is synchronous: promises settle by microtasks, a
 * statement cannot be interrupted (time limits are the caller's, who ends the process), and while a
 * stream is being read the connection takes no writes and no transactions. A transaction waits for
 * the one before it, and so do single statements; those in it go through its session.
 */
export function openDatabase(options: ConnectOptions): Database {
  const opened: Opened = {
    path: options.path,
    live: openLive(options),
    bounded: new Map(),
    repeatable: new Map(),
    streams: new Set(),
    writes: 0,
    isSet: false,
    last: { content: '', structure: '' },
  };
  const turns = createTurns();
  const { live } = opened;
  const transaction: Database['transaction'] = (mode, work) =>
    turns.take(() => renewed(opened, () => transact(opened, mode, work)));
  return {
    dialect: sqliteDialect,
    run: (query, runOptions) => turns.take(() => run(opened, query, runOptions)),
    stream: (query, runOptions) => turns.take(() => stream(opened, query, runOptions)),
    transaction,
    administer: (work) =>
      work({
        run: (query, runOptions) => turns.take(() => run(opened, query, runOptions)),
        stream: (query) => turns.take(() => renewed(opened, () => streamAtOnce(opened, query))),
      }),
    effectsOf: () => Promise.resolve([]),
    effectsOfReading: () => Promise.resolve([]),
    hasSnapshot: () => Promise.resolve(true),
    read: (work) => transaction('read', work),
    introspect: settled(() =>
      readWholeFile(() =>
        inSnapshot(live.current(), (connection) =>
          withRevision(introspect(connection, opened.path), look(opened).structure),
        ),
      ),
    ),
    otherObjects: settled(() => listOtherObjects(live.current())),
    structureVersion: settled(() => look(opened).structure),
    isVersionCheap: true,
    revisionOf: settled(() => look(opened).structure),
    changeToken: settled(() => look(opened).content),
    changesByCommitsAlone: settled((query: Query) =>
      judged(opened, opened.repeatable, { query, judge: isRepeatable }),
    ),
    isBounded: settled((query: Query) =>
      judged(opened, opened.bounded, { query, judge: judgePlan }),
    ),
    estimateResult: () => Promise.resolve(undefined),
    estimateRows: settled((tables) =>
      inSnapshot(live.current(), (connection) => estimateRows(connection, tables)),
    ),
    poolStats: () => oneConnection,
    close: settled(() => live.close()),
  };
}

const oneConnection: PoolStats = {
  maxOpenConnections: 1,
  openConnections: 1,
  inUse: 0,
  idle: 1,
  waitCount: 0,
  waitDurationMs: 0,
};

/** Synchronous work as a promise. */
function settled<A extends readonly unknown[], T>(
  work: (...args: A) => T,
): (...args: A) => Promise<T> {
  // oxlint-disable-next-line typescript/require-await -- what is thrown becomes a rejection
  return async (...args) => work(...args);
}

// Statements

function run(opened: Opened, query: Query, { signal }: RunOptions = {}): Result {
  signal?.throwIfAborted();
  const connection = opened.live.current();
  if (setsPragma.test(query.text)) return change(connection.prepare(query.text), query);
  const statement = connection.statement(query.text);
  if (!statement.isReadOnly) opened.writes += 1;
  if (!statement.isReadOnly || !statement.isReader) return change(statement, query);
  const rows = readAll(readerOf(connection, query), firstReading(query.columns));
  return { columns: columnsOf(query, statement), rows, rowsAffected: 0 };
}

/** Behind a statement that may have set something of the connection, the next is another one. */
async function renewed<T>(opened: Opened, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    if (opened.isSet) {
      opened.isSet = false;
      closeStreams(opened);
      opened.live.renew();
    }
  }
}

/** Such a statement may do its work when it is prepared: a kept one would do it once. */
const setsPragma = /^\s*PRAGMA\s+[\w.]+\s*=/i;

/** RETURNING tells of every row that was changed. */
function change(statement: Statement, query: Query): Result {
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
    isReal: isRealColumns(query.columns),
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

function stream(opened: Opened, query: Query, { signal }: RunOptions = {}): RowStream {
  const connection = opened.live.current();
  if (setsPragma.test(query.text)) return streamAtOnce(opened, query);
  const statement = connection.statement(query.text);
  if (!statement.isReader) {
    opened.writes += 1;
    opened.isSet ||= !writesRows.test(query.text);
    return streamOf(change(statement, query));
  }
  if (!statement.isReadOnly) return streamWrite(opened, statement, query);
  const columns = columnsOf(query, statement);
  const reader = readerOf(connection, query);
  const batches = readBatches(reader, firstReading(query.columns));
  return { columns, batches: readStream(opened.streams, batches, signal) };
}

const writesRows = /^\s*(?:INSERT|UPDATE|DELETE|REPLACE|WITH)\b/i;

/** The connection may end before the rows are read. */
function streamAtOnce(opened: Opened, query: Query): RowStream {
  opened.writes += 1;
  opened.isSet = true;
  const result = change(opened.live.current().prepare(query.text), query);
  return streamOf({ ...result, rowsAffected: 0 });
}

function streamOf({ columns, rows, rowsAffected }: Result): RowStream {
  return {
    columns,
    batches: readStream(new Set(), once(rows), undefined),
    rowsAffected: () => rowsAffected,
  };
}

function* once(rows: readonly Row[]): Generator<readonly Row[], void> {
  if (rows.length > 0) yield rows;
}

/** SQLite has written all rows when RETURNING gives the first one. */
function streamWrite(opened: Opened, statement: Statement, query: Query): RowStream {
  opened.writes += 1;
  const batches = readOnce(statement, bindingsOf(query.text, query.params));
  return {
    columns: columnsOf(query, statement),
    batches: readStream(opened.streams, batches, undefined),
  };
}

async function* readStream(
  streams: Opened['streams'],
  batches: Generator<readonly Row[], void>,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly Row[], void> {
  streams.add(batches);
  try {
    for (const batch of batches) {
      signal?.throwIfAborted();
      yield batch;
    }
  } finally {
    streams.delete(batches);
  }
}

// Transactions

/** `read` holds the connection itself to reading, also where it could write. */
async function transact<T>(
  opened: Opened,
  mode: TransactionMode,
  work: (session: Transaction) => Promise<T>,
): Promise<T> {
  const connection = opened.live.current();
  const guardsWrites = mode === 'read' && !connection.isReadOnly;
  if (mode === 'read') control(connection, 'BEGIN');
  else beginWrite(connection);
  if (guardsWrites) connection.execute('PRAGMA query_only = ON');
  const loader = createLoader(connection);
  const { session, end } = openSession(opened, loader);
  try {
    const result = await work(session);
    closeStreams(opened);
    commit(connection, loader);
    return result;
  } catch (error) {
    closeStreams(opened);
    if (connection.inTransaction) control(connection, 'ROLLBACK');
    if (mode !== 'read') opened.writes += 1;
    throw error;
  } finally {
    end();
    if (guardsWrites) connection.execute('PRAGMA query_only = OFF');
  }
}

/** What a commit refuses can be found out only before it is rolled back. */
function commit(connection: Connection, loader: Loader): void {
  loader.finish();
  try {
    control(connection, 'COMMIT');
  } catch (error) {
    throw loader.explain(error);
  }
}

function openSession(
  opened: Opened,
  loader: Loader,
): { readonly session: Transaction; readonly end: () => void } {
  let hasEnded = false;
  const inTime = <A extends readonly unknown[], T>(
    work: (...args: A) => T,
  ): ((...args: A) => Promise<T>) =>
    settled((...args: A) => {
      if (hasEnded) throw new Error('The transaction that this statement belongs to has ended.');
      return work(...args);
    });
  return {
    session: {
      run: inTime((query: Query, options?: RunOptions) => run(opened, query, options)),
      stream: inTime((query: Query, options?: RunOptions) => stream(opened, query, options)),
      insert: inTime((batch: InsertBatch) => {
        opened.writes += 1;
        return loader.insert(batch);
      }),
      beforeEmptying: inTime((table: Table) => {
        opened.writes += 1;
        loader.beforeEmptying(table);
      }),
      checkKeys: inTime(() => loader.checkKeys()),
    },
    end: () => {
      hasEnded = true;
    },
  };
}

/** A transaction cannot end while rows are being read in it. */
function closeStreams({ streams }: Opened): void {
  for (const batches of streams) batches.return();
  streams.clear();
}

/** One state of the file for several statements; inside a transaction there is one already. */
function inSnapshot<T>(connection: Connection, work: (connection: Connection) => T): T {
  if (connection.inTransaction) return work(connection);
  control(connection, 'BEGIN');
  try {
    return work(connection);
  } finally {
    control(connection, 'COMMIT');
  }
}

// What is cheap to know

/**
 * `data_version` tells the commits of others, the connection's own are counted; what neither tells
 * has not changed the structure.
 */
function look(opened: Opened): Look {
  const { live, writes, last } = opened;
  const connection = live.current();
  const content = `${live.generation}.${pragma(connection, 'data_version')}.${writes}`;
  if (content === last.content) return last;
  const structure = `${live.generation}.${pragma(connection, 'schema_version')}`;
  if (structure !== last.structure) {
    opened.bounded.clear();
    opened.repeatable.clear();
  }
  opened.last = { content, structure };
  return opened.last;
}

function pragma(connection: Connection, name: string): string {
  return String(connection.statement(`PRAGMA ${name}`).all([], false)[0]?.[0]);
}

const keptJudgements = 1000;

interface Judging {
  readonly query: Query;
  readonly judge: (connection: Connection, query: Query) => boolean;
}

function judged(opened: Opened, known: Map<string, boolean>, { query, judge }: Judging): boolean {
  look(opened);
  const cached = known.get(query.text);
  if (cached !== undefined) return cached;
  if (known.size >= keptJudgements) known.clear();
  const judgement = judge(opened.live.current(), query);
  known.set(query.text, judgement);
  return judgement;
}
