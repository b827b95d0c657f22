import { rowsByColumnName } from '../catalog-query.ts';
import { copyError, StudioError } from '../../model/errors.ts';
import { otherObjects } from './catalog/other-objects.ts';
import { storedPrograms } from './catalog/stored-programs.ts';
import { withDefaultLimits, catalogLimits } from '../session-limits.ts';
import { noResponseError } from '../cancel-statement.ts';
import { idlePoolOr } from '../pool.ts';
import { statsOfAll, streamFrom } from '../pooled-session.ts';
import { effectsOf } from './effects/program-effects.ts';
import { effectsOfReading } from './effects/called-routines.ts';
import { connectionError } from './driver/connection-error.ts';
import { beginGuarded, endGuard, mustBeGuarded } from './driver/guarded-transaction.ts';
import { errorOffset } from './driver/error-offset.ts';
import { galeraCounters } from './dialect/counters.ts';
import { mariadbDialect, mysqlDialect } from './dialect/dialect.ts';
import { minorityError, minorityFact, mustReachMajority } from './driver/group-majority.ts';
import { mustStillTakeWrites } from './driver/still-takes-writes.ts';
import { openPools } from './driver/open-pools.ts';
import { estimateResultRows, estimateTableRows } from './catalog/estimate.ts';
import { holdTables } from './catalog/hold-tables.ts';
import { introspect, introspectWithin } from './catalog/introspect.ts';
import { mysqlLexicalRules } from './language/lexical-rules.ts';
import { mysqlWriting } from './dialect/write.ts';
import { collationsOf, exactCollationOf } from './language/collations.ts';
import { skippedCommentsOf } from './language/skipped-comments.ts';
import { loadingTransaction } from './load/load.ts';
import { readOnlyReason } from './catalog/read-only-reason.ts';
import { readingSession } from './driver/reading-session.ts';
import { createRevisionReader, readVersion } from './catalog/revision.ts';
import { createViewNames } from './driver/view-names.ts';
import type { Capability } from '../../model/capabilities.ts';
import type { DdlUndo } from '../../model/ddl-dialect.ts';
import type {
  Database,
  Dialect,
  RunOptions,
  DatabaseTarget,
  ServerState,
  Transaction,
  TransactionMode,
  Session,
} from '../../model/database.ts';
import type { Pool } from '../pool.ts';
import type { Connection } from './driver/connection.ts';
import type { ServerInfo } from './dialect/server-info.ts';
import type { ViewNames } from './driver/view-names.ts';

/** Opens a database; fails with `database_unavailable` when it cannot be reached. */
export async function openMysql(target: DatabaseTarget): Promise<Database<Capability>> {
  const views = createViewNames();
  const { pool, catalogPool, all: pools } = openPools(target, views);
  const toReader = toReaderWith(views, target);
  const readIn = createReader(toReader);
  const { server } = await pool.use(async (session) => ({ server: session.server }));
  return {
    dialect: dialectOf(server),
    run: (query, options) => {
      const run = async (session: Connection) =>
        (await toWriter(session, target, options)).run(query, options);
      return pool.use(run, options);
    },
    stream: (query, options) => {
      const open = async (session: Connection) =>
        (await toWriter(session, target, options)).stream(query, options);
      return streamFrom(pool, open, options);
    },
    read: (work, options) =>
      pool.use(async (session) => work(await toReader(session, options)), options),
    transaction: (mode, work, options = {}) =>
      (mode === 'sql' ? pool.useOnce : pool.use)(
        (session) => inTransaction(session, { mode, target, options }, work),
        options,
      ),
    runOutsideTransaction: (work, options) =>
      pool.useOnce(async (session) => work(await toWriter(session, target, options)), options),
    effectsOf: (text, options) =>
      readIn(catalogPool, catalogLimits, (session) => effectsOf(text, session, options)),
    effectsOfReading: (relations) =>
      readIn(catalogPool, catalogLimits, (session) => effectsOfReading(relations, session)),
    introspect: (options) =>
      readIn(idlePoolOr(pool, catalogPool), options, introspect).then(views.update),
    introspectWithin: (session) => introspectWithin(session, server),
    ...objectReaders((options, work) => readIn(catalogPool, options, work), server),
    structureVersion: () => readIn(idlePoolOr(pool, catalogPool), catalogLimits, versionOf),
    revisionOf: createRevisionReader(server),
    holdTables: (session, tables) => holdTables(session, tables, server),
    // A snapshot that is older than a change of a table fails to read it.
    hasCurrentSnapshot: () => Promise.resolve(true),
    ...constantMembers,
    estimateResultRows: (query, options) =>
      readIn(catalogPool, options, (session) => estimateResultRows(session, query, session.server)),
    estimateTableRows: (tables, options) =>
      readIn(catalogPool, options, (session) => estimateTableRows(session, tables, server)),
    serverState: () => readIn(idlePoolOr(pool, catalogPool), catalogLimits, stateOf),
    poolStats: () => statsOfAll(pools),
    close: async () => void (await Promise.all(pools.map((each) => each.close()))),
  };
}

function objectReaders(
  readCatalog: <T>(
    options: RunOptions | undefined,
    work: (session: Session) => Promise<T>,
  ) => Promise<T>,
  server: ServerInfo,
): Pick<Database, 'otherObjects' | 'storedPrograms'> {
  return {
    otherObjects: (options) => readCatalog(options, (session) => otherObjects(session, server)),
    storedPrograms: (options) => readCatalog(options, (session) => storedPrograms(session, server)),
  };
}

const constantMembers = {
  // An engine without rollback has no snapshots either.
  hasSnapshot: (tables) =>
    Promise.resolve(tables.every((table) => mysqlWriting.noRollbackReason(table) === undefined)),
  errorOffset: (error, text) => errorOffset(error, text, mysqlLexicalRules),
  isStructureVersionCheap: false,
  changeToken: () => Promise.resolve(undefined),
  changesOnlyByCommits: () => Promise.resolve(false),
  // A time limit ends statements in the server.
  isPageCostBounded: () => Promise.resolve(true),
} satisfies Partial<Database<Capability>>;

type WriterTarget = Pick<DatabaseTarget, 'readOnly' | 'readsYourWrites'>;

/** Turns a connection into a session that only reads. */
type ToReader = (connection: Connection, options?: RunOptions) => Promise<Connection>;

/** A view may call a function that writes, so the server must reject writes. */
function toReaderWith(
  views: ViewNames,
  { readsYourWrites = false }: Pick<DatabaseTarget, 'readsYourWrites'>,
): ToReader {
  return async (connection, options) => {
    await connection.setReadOnly(true, options);
    await mustStillTakeWrites(connection, options);
    // Reads wait for the group, and cannot be canceled.
    if (readsYourWrites) await mustReachGroup(connection, options);
    return readingSession(connection, views);
  };
}

async function mustReachGroup(
  connection: Connection,
  options: RunOptions | undefined,
): Promise<void> {
  if (connection.server.replication === 'group')
    await mustReachMajority((text) => connection.run({ text, params: [] }, options));
}

/** Returns a function that runs queries in a read-only session, limited by the options. */
function createReader(toReader: ToReader) {
  return <T>(
    pool: Pool<Connection>,
    options: RunOptions = {},
    work: (session: Connection) => Promise<T>,
  ): Promise<T> => {
    const bounded = async (session: Connection): Promise<T> =>
      work(withDefaultLimits(await toReader(session, options), options));
    return pool.use(bounded, options);
  };
}

async function toWriter(
  connection: Connection,
  { readOnly, readsYourWrites = false }: WriterTarget,
  options: RunOptions | undefined,
): Promise<Connection> {
  await connection.setReadOnly(readOnly, options);
  if (!readOnly || readsYourWrites) await mustReachGroup(connection, options);
  return connection;
}

function versionOf(session: Connection): Promise<string> {
  return readVersion(session, session.server);
}

async function stateOf(session: Connection): Promise<ServerState> {
  const reason = await readOnlyReason(session, session.server);
  if (session.server.replication !== 'group') return { readOnlyReason: reason };
  const fact = await minorityFact((text) => session.run({ text, params: [] }));
  return {
    readOnlyReason: reason,
    unavailableReason: fact === undefined ? undefined : minorityError(fact).message,
  };
}

function dialectOf(server: Connection['server']): Dialect<Capability> {
  const dialect = server.isMariadb ? mariadbDialect : mysqlDialect;
  const ddl = {
    ...dialect.ddl,
    ddlUndo: ddlUndoOf(server, dialect.ddl.ddlUndo),
    nearestCollation: collationsOf(server),
    exactCollation: exactCollationOf(server),
    ...(server.tableNames === undefined ? {} : { tableNames: server.tableNames }),
  };
  const load =
    server.replication === 'galera' ? { ...dialect.load, counters: galeraCounters } : dialect.load;
  return { ...dialect, ddl, load, skippedComments: skippedCommentsOf(server) };
}

/** Locks have no effect at the other servers of a cluster. */
function ddlUndoOf(
  { replication }: Connection['server'],
  ddlUndo: DdlUndo | undefined,
): DdlUndo | undefined {
  return ddlUndo === undefined || replication === undefined
    ? ddlUndo
    : { ...ddlUndo, canLockNames: false, lockTables: undefined };
}

/**
 * For the next transaction only. Under REPEATABLE READ a deleted row locks the gap that rows are loaded
 * into; when they are rolled back, InnoDB copies these locks from row to row until the buffer pool is
 * full and the server ends (MariaDB 10.11, 64 MB: 40,000 rows).
 */
const loadIsolation = 'SET TRANSACTION ISOLATION LEVEL READ COMMITTED';

interface TransactionOptions {
  readonly mode: TransactionMode;
  readonly target: WriterTarget;
  readonly options: RunOptions;
}

async function inTransaction<T>(
  connection: Connection,
  { mode, target, options }: TransactionOptions,
  work: (session: Transaction<Capability>) => Promise<T>,
): Promise<T> {
  if (mode !== 'read') {
    // DDL, which other modes may run, removes the savepoint of a guard.
    const isGuarded = mode === 'write' && connection.server.replication === 'galera';
    const begin = 'START TRANSACTION';
    const statements = { begin, end: 'COMMIT', options, isGuarded };
    await toWriter(connection, target, options);
    if (mode === 'load' && connection.server.allowsReadCommitted)
      await connection.command(loadIsolation, options);
    return runTransaction(connection, statements, work);
  }
  // DDL would commit the read-only transaction and then run. The read-only session rejects it.
  await connection.setReadOnly(true, options);
  await mustStillTakeWrites(connection, options);
  if (target.readsYourWrites === true) await mustReachGroup(connection, options);
  await connection.command('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ', options);
  const begin = 'START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY';
  try {
    return await runTransaction(connection, { begin, end: 'ROLLBACK', options }, work);
  } finally {
    await connection
      .command(`SET SESSION TRANSACTION ISOLATION LEVEL ${connection.server.isolation}`, options)
      .catch(() => {});
  }
}

interface TransactionStatements {
  readonly begin: string;
  readonly end: string;
  readonly options: RunOptions;
  readonly isGuarded?: boolean;
}

async function runTransaction<T>(
  connection: Connection,
  statements: TransactionStatements,
  work: (session: Transaction<Capability>) => Promise<T>,
): Promise<T> {
  const { options, isGuarded = false } = statements;
  if (!isGuarded) return runToItsEnd(connection, statements, work);
  try {
    return await runToItsEnd(connection, statements, work);
  } finally {
    await endGuard(connection, options);
  }
}

async function runToItsEnd<T>(
  connection: Connection,
  { begin, end, options, isGuarded = false }: TransactionStatements,
  work: (session: Transaction<Capability>) => Promise<T>,
): Promise<T> {
  await (isGuarded ? beginGuarded(connection, options) : connection.command(begin, options));
  const run = async (): Promise<T> => {
    const value = await work(loadingTransaction(connection, dialectOf(connection.server)));
    // COMMIT succeeds without a transaction, so the client would take lost changes for written ones.
    if (connection.rollbackError() !== undefined) throw connection.rollbackError();
    if (isGuarded) await mustBeGuarded(connection, options);
    return value;
  };
  const result = await run().catch(async (error: unknown) => {
    // The pool checks the connection and discards it if the rollback failed.
    throw await rollBack(connection, options).then(
      (isWhole) => (isWhole ? error : incompleteRollback(error)),
      () => error,
    );
  });
  await connection.command(end, options).catch((error: unknown) => {
    throw connection.isLost() ? connectionError(noResponseError()) : error;
  });
  return result;
}

const notCompleteRollback = 1196;

/** False if the server warns that writes remain, namely to nontransactional tables. */
async function rollBack(connection: Connection, options: RunOptions): Promise<boolean> {
  await connection.command('ROLLBACK', options);
  const { columns, rows } = await connection.run({ text: 'SHOW WARNINGS', params: [] }, options);
  const warnings = rowsByColumnName(columns, rows);
  return !warnings.some(({ Code: code }) => Number(code) === notCompleteRollback);
}

/** Explains a rollback that left writes, such as those of triggers that the login may not see. */
function incompleteRollback(error: unknown): StudioError {
  const remains =
    'Writes to tables without transactions (MyISAM, Aria, MEMORY …), for example by triggers, could not be rolled back.';
  return error instanceof StudioError
    ? copyError(error, { message: `${error.message} ${remains}` })
    : Object.assign(new StudioError('not_writable', remains), { cause: error });
}
