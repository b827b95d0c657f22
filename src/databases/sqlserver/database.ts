import { StudioError } from '../../model/errors.ts';
import { createPool, idleOr } from '../pool.ts';
import { statsOfAll, streamFrom } from '../pooled-session.ts';
import { readUrl } from './connection-options.ts';
import { sqlserverDialect } from './dialect.ts';
import { connect } from './driver.ts';
import { estimateRows } from './estimate.ts';
import { introspect } from './introspect.ts';
import { readVersion, revisionOf } from './revision.ts';
import { loadingTransaction } from './load.ts';
import type { Database, Target, Transaction, TransactionMode } from '../../model/database.ts';
import type { Pool } from '../pool.ts';
import type { ConnectionOptions } from './connection-options.ts';
import type { Connection, Opened } from './driver.ts';

const waitMs = 5000;
const idleMs = 60_000;

/** Locks are waited for as long as connections are; the one row tells whether the database has snapshots. */
const setup = `SET LOCK_TIMEOUT ${waitMs};
SELECT CAST(snapshot_isolation_state AS int) FROM sys.databases WHERE name = DB_NAME()`;

/** Opens a database; fails with `database_unavailable` when it cannot be reached. */
export async function openSqlserver(target: Target): Promise<Database> {
  const connection = readUrl(target.url);
  const pool = openPool(connection, connection.mostConnections);
  // Asked while another connection is held: were they to wait for one of the same pool, all could wait for all.
  const questions = openPool(connection, 1);
  await pool.use(async () => {});
  return {
    dialect: sqlserverDialect,
    run: (query, options) =>
      pool.use((opened) => opened.connection.run(query, options), options?.signal),
    stream: (query, options) =>
      streamFrom(pool, (opened) => opened.connection.stream(query, options), options?.signal),
    read: (work, signal) => pool.use((opened) => work(opened.connection), signal),
    transaction: (mode, work, signal) => {
      if (mode !== 'read' && target.readOnly) return Promise.reject(readOnlyError());
      const use = mode === 'sql' ? pool.useOnce : pool.use;
      return use((opened) => inTransaction(opened, mode, work), signal);
    },
    administer: (work, signal) => pool.useOnce(({ connection: session }) => work(session), signal),
    hasSnapshot: () =>
      questions.use(({ facts: [snapshots] }) => Promise.resolve(snapshots === snapshotsAllowed)),
    effectsOf: () => Promise.resolve([]),
    introspect: () => idleOr(pool, questions).use((opened) => introspect(opened.connection)),
    structureVersion: () => idleOr(pool, questions).use((opened) => readVersion(opened.connection)),
    isVersionCheap: false,
    revisionOf,
    changeToken: () => Promise.resolve(undefined),
    changesByCommitsAlone: () => Promise.resolve(false),
    // A time limit ends statements in the server.
    isBounded: () => Promise.resolve(true),
    // A plan is shown to who may see all plans only, and never for a statement with parameters.
    estimateResult: () => Promise.resolve(undefined),
    estimateRows: (tables) => questions.use((opened) => estimateRows(opened.connection, tables)),
    poolStats: () => statsOfAll([pool, questions]),
    close: async () => {
      // What still runs in the one may have a question for the other.
      await pool.close();
      await questions.close();
    },
  };
}

/** The server itself would take the write. */
function readOnlyError(): StudioError {
  return new StudioError('read_only', 'The studio is read-only.');
}

function openPool(options: ConnectionOptions, most: number): Pool<Opened> {
  return createPool<Opened>({
    most,
    waitMs,
    idleMs,
    open: () => connect(options, setup),
    isUsable: ({ connection }) => connection.isUsable(),
    close: ({ connection }) => connection.close(),
  });
}

const snapshotsAllowed = 1;

/** SQL Server holds no transaction read-only: a read is always rolled back instead. */
async function inTransaction<T>(
  { connection, facts: [snapshots] }: Opened,
  mode: TransactionMode,
  work: (session: Transaction) => Promise<T>,
): Promise<T> {
  const isSnapshot = mode === 'read' && snapshots === snapshotsAllowed;
  await connection.command(`${isolation(isSnapshot)}; BEGIN TRANSACTION`);
  const result = await work(loadingTransaction(connection)).catch(async (error: unknown) => {
    await rollBack(connection);
    throw error;
  });
  if (mode === 'read') await rollBack(connection);
  else await commit(connection);
  return result;
}

/** It stays with the connection, so each transaction sets its own. */
function isolation(isSnapshot: boolean): string {
  return `SET TRANSACTION ISOLATION LEVEL ${isSnapshot ? 'SNAPSHOT' : 'READ COMMITTED'}`;
}

/** A connection that cannot even do that is not used again: the pool looks. */
async function rollBack(connection: Connection): Promise<void> {
  await connection
    .command(`IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION; ${isolation(false)}`)
    .catch(() => {});
}

/** What cannot be committed is not left open either. */
async function commit(connection: Connection): Promise<void> {
  await connection.command('COMMIT TRANSACTION').catch(async (error: unknown) => {
    await rollBack(connection);
    throw error;
  });
}
