import { otherObjects } from './catalog/other-objects.ts';
import { StudioError } from '../../model/errors.ts';
import { withDefaultLimits, catalogLimits } from '../session-limits.ts';
import { noResponseError } from '../cancel-statement.ts';
import { createPool, idlePoolOr } from '../pool.ts';
import { statsOfAll, streamFrom } from '../pooled-session.ts';
import { connectionError } from './driver/connection-error.ts';
import { readUrl } from './driver/connection-options.ts';
import { sqlserverDialect } from './dialect/dialect.ts';
import { connect } from './driver/driver.ts';
import { errorOffset } from './driver/error-offset.ts';
import { estimateTableRows } from './catalog/estimate.ts';
import { introspect } from './catalog/introspect.ts';
import { readOnlyReason } from './catalog/read-only-reason.ts';
import { readVersion, revisionOf } from './catalog/revision.ts';
import { loadingTransaction } from './load/load.ts';
import type { Capability } from '../../model/capabilities.ts';
import type {
  Database,
  RunOptions,
  DatabaseTarget,
  Transaction,
  TransactionMode,
} from '../../model/database.ts';
import type { Pool } from '../pool.ts';
import type { ConnectionOptions } from './driver/connection-options.ts';
import type { Connection } from './driver/connection.ts';
import type { Opened } from './driver/driver.ts';

const waitMs = 5000;
const idleMs = 60_000;

/** The lock timeout equals the wait for a connection. The row says whether the database allows snapshot isolation. */
const setup = `SET LOCK_TIMEOUT ${waitMs};
SELECT CAST(snapshot_isolation_state AS int) FROM sys.databases WHERE name = DB_NAME()`;

/** Opens a database; fails with `database_unavailable` when it cannot be reached. */
export async function openSqlserver(target: DatabaseTarget): Promise<Database<Capability>> {
  const server = readUrl(target.url);
  const { watchesServer = false } = target;
  const pool = openPool(server, { maxConnections: server.maxConnections, watchesServer });
  // Queries about the structure run while another connection is held. With the same pool, requests could deadlock.
  const catalogPool = openPool(server, { maxConnections: 1, watchesServer });
  await pool.use(async () => {});
  return {
    dialect: sqlserverDialect,
    run: (query, options) => pool.use(({ connection }) => connection.run(query, options), options),
    stream: (query, options) =>
      streamFrom(pool, ({ connection }) => connection.stream(query, options), options),
    read: (work, options) => pool.use(({ connection }) => work(connection), options),
    transaction: (mode, work, options = {}) => {
      if (mode !== 'read' && target.readOnly) return Promise.reject(readOnlyError());
      const use = mode === 'sql' ? pool.useOnce : pool.use;
      return use((client) => inTransaction(client, { mode, options }, work), options);
    },
    runOutsideTransaction: (work, options) =>
      pool.useOnce(({ connection: session }) => work(session), options),
    hasSnapshot: () =>
      catalogPool.use(({ settings: [snapshots] }) =>
        Promise.resolve(snapshots === snapshotsAllowed),
      ),
    introspect: (options = {}) =>
      idlePoolOr(pool, catalogPool).use(({ connection }) =>
        introspect(withDefaultLimits(connection, options)),
      ),
    otherObjects: (options = {}) =>
      catalogPool.use(
        ({ connection }) => otherObjects(withDefaultLimits(connection, options)),
        options,
      ),
    structureVersion: () =>
      idlePoolOr(pool, catalogPool).use(({ connection }) =>
        readVersion(withDefaultLimits(connection, catalogLimits)),
      ),
    ...withoutPool,
    estimateTableRows: (tables, options = {}) =>
      catalogPool.use(
        ({ connection }) => estimateTableRows(withDefaultLimits(connection, options), tables),
        options,
      ),
    serverState: () =>
      idlePoolOr(pool, catalogPool).use(async ({ connection }) => ({
        readOnlyReason: await readOnlyReason(withDefaultLimits(connection, catalogLimits)),
      })),
    poolStats: () => statsOfAll([pool, catalogPool]),
    close: async () => {
      // Statements that still run in the first pool may need the second one.
      await pool.close();
      await catalogPool.close();
    },
  };
}

/** Members that need no connection of the pools. */
const withoutPool = {
  errorOffset,
  storedPrograms: () => Promise.resolve([]),
  effectsOf: () => Promise.resolve([]),
  effectsOfReading: () => Promise.resolve([]),
  introspectWithin: introspect,
  changeToken: () => Promise.resolve(undefined),
  changesOnlyByCommits: () => Promise.resolve(false),
  // A time limit ends statements in the server.
  isPageCostBounded: () => Promise.resolve(true),
  // Showing plans needs a privilege for all plans, and does not work for statements with parameters.
  estimateResultRows: () => Promise.resolve(undefined),
  isStructureVersionCheap: false,
  revisionOf,
} satisfies Partial<Database<Capability>>;

/** The server itself would accept the write, so the studio rejects it. */
function readOnlyError(): StudioError {
  return new StudioError('read_only', 'The studio is read-only.');
}

interface PoolSettings {
  readonly maxConnections: number;
  readonly watchesServer: boolean;
}

function openPool(
  options: ConnectionOptions,
  { maxConnections, watchesServer }: PoolSettings,
): Pool<Opened> {
  return createPool<Opened>({
    maxConnections,
    waitMs,
    idleMs,
    open: (signal) => connect(options, { text: setup, signal }),
    isUsable: ({ connection }) => connection.isUsable(),
    isLost: ({ connection }) => connection.isLost(),
    destroy: ({ connection }) => connection.destroy(),
    close: ({ connection }) => connection.close(),
    transferredBytes: watchesServer ? ({ connection }) => connection.transferredBytes() : undefined,
  });
}

const snapshotsAllowed = 1;

interface TransactionOptions {
  readonly mode: TransactionMode;
  readonly options: RunOptions;
}

/** SQL Server has no read-only transactions, so a read is always rolled back. */
async function inTransaction<T>(
  { connection, settings: [snapshots] }: Opened,
  { mode, options }: TransactionOptions,
  work: (session: Transaction<Capability>) => Promise<T>,
): Promise<T> {
  const isSnapshot = mode === 'read' && snapshots === snapshotsAllowed;
  await connection.command(`${isolation(isSnapshot)}; BEGIN TRANSACTION`, options);
  const result = await work(loadingTransaction(connection)).catch(async (error: unknown) => {
    await rollBack(connection, options);
    throw error;
  });
  if (mode === 'read') await rollBack(connection, options);
  else await commit(connection, options);
  return result;
}

/** The isolation level persists in the session, so each transaction sets it. */
function isolation(isSnapshot: boolean): string {
  return `SET TRANSACTION ISOLATION LEVEL ${isSnapshot ? 'SNAPSHOT' : 'READ COMMITTED'}`;
}

/** Ignores errors: the pool checks the connection and discards it if the rollback failed. */
async function rollBack(connection: Connection, options: RunOptions): Promise<void> {
  await connection
    .command(`IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION; ${isolation(false)}`, options)
    .catch(() => {});
}

/** Rolls back if the commit fails, so that no transaction stays open. */
async function commit(connection: Connection, options: RunOptions): Promise<void> {
  await connection.command('COMMIT TRANSACTION', options).catch(async (error: unknown) => {
    if (connection.isLost()) throw connectionError(noResponseError());
    await rollBack(connection, options);
    throw error;
  });
}
