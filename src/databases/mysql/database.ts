import { createPool, idleOr } from '../pool.ts';
import { statsOfAll, streamFrom } from '../pooled-session.ts';
import { readUrl } from './connection-options.ts';
import { mariadbDialect, mysqlDialect } from './dialect.ts';
import { connect } from './connection.ts';
import { estimateResult, estimateRows } from './estimate.ts';
import { introspect } from './introspect.ts';
import { mysqlLoading } from './load-dialect.ts';
import { loadingTransaction } from './load.ts';
import { createRevisionReader, readVersion } from './revision.ts';
import type {
  Database,
  Dialect,
  Target,
  Transaction,
  TransactionMode,
} from '../../model/database.ts';
import type { Pool } from '../pool.ts';
import type { Connection, ConnectOptions } from './connection.ts';

const waitMs = 5000;
const idleMs = 60_000;

/** Opens a database; fails with `database_unavailable` when it cannot be reached. */
export async function openMysql(target: Target): Promise<Database> {
  const connection = readUrl(target.url);
  // What ends statements waits for nobody who runs one.
  const endings = openPool({ connection, kill: () => Promise.resolve() }, 1);
  const kill = (threadId: number): Promise<void> =>
    endings.use((session) => session.command(`KILL QUERY ${threadId}`));
  const driver: ConnectOptions = { connection, kill };
  const pool = openPool(driver, connection.mostConnections);
  // Asked while another connection is held: were they to wait for one of the same pool, all could wait for all.
  const questions = openPool(driver, 1);
  const pools = [pool, questions, endings];
  const { server } = await pool.use(async (session) => ({ server: session.server }));
  return {
    dialect: dialectOf(server),
    run: (query, options) =>
      pool.use(
        async (session) => (await writing(session, target)).run(query, options),
        options?.signal,
      ),
    stream: (query, options) =>
      streamFrom(
        pool,
        async (session) => (await writing(session, target)).stream(query, options),
        options?.signal,
      ),
    read: (work, signal) => pool.use(async (session) => work(await reading(session)), signal),
    transaction: (mode, work, signal) =>
      (mode === 'sql' ? pool.useOnce : pool.use)(
        (session) => inTransaction(session, { mode, target }, work),
        signal,
      ),
    administer: (work, signal) =>
      pool.useOnce(async (session) => work(await writing(session, target)), signal),
    // What an engine cannot take back it has no earlier state of either.
    hasSnapshot: (tables) =>
      Promise.resolve(tables.every((table) => mysqlLoading.objection(table) === undefined)),
    effectsOf: () => Promise.resolve([]),
    introspect: () =>
      idleOr(pool, questions).use(async (session) => introspect(await reading(session))),
    structureVersion: () =>
      idleOr(pool, questions).use(async (session) =>
        readVersion(await reading(session), session.server),
      ),
    isVersionCheap: false,
    revisionOf: createRevisionReader(server),
    changeToken: () => Promise.resolve(undefined),
    changesByCommitsAlone: () => Promise.resolve(false),
    // A time limit ends statements in the server.
    isBounded: () => Promise.resolve(true),
    estimateResult: (query) =>
      questions.use((session) => estimateResult(session, query, session.server)),
    estimateRows: (tables) => questions.use((session) => estimateRows(session, tables)),
    poolStats: () => statsOfAll(pools),
    close: async () => void (await Promise.all(pools.map((each) => each.close()))),
  };
}

/** A view may call a function that writes: outside a write, the server refuses that. */
async function reading(connection: Connection): Promise<Connection> {
  await connection.setReadOnly(true);
  return connection;
}

async function writing(
  connection: Connection,
  { readOnly }: Pick<Target, 'readOnly'>,
): Promise<Connection> {
  await connection.setReadOnly(readOnly);
  return connection;
}

function dialectOf({ isMariadb }: Connection['server']): Dialect {
  return isMariadb ? mariadbDialect : mysqlDialect;
}

function openPool(driver: ConnectOptions, most: number): Pool<Connection> {
  return createPool<Connection>({
    most,
    waitMs,
    idleMs,
    open: () => connect(driver),
    isUsable: (connection) => connection.isUsable(),
    close: (connection) => connection.close(),
  });
}

interface TransactionOptions {
  readonly mode: TransactionMode;
  readonly target: Pick<Target, 'readOnly'>;
}

async function inTransaction<T>(
  connection: Connection,
  { mode, target }: TransactionOptions,
  work: (session: Transaction) => Promise<T>,
): Promise<T> {
  if (mode !== 'read')
    return complete(await writing(connection, target), ['START TRANSACTION', 'COMMIT'], work);
  // DDL ends a transaction, be it a reading one, and would then run: in a reading session it does not.
  await connection.setReadOnly(true);
  await connection.command('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ');
  try {
    return await complete(
      connection,
      ['START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY', 'ROLLBACK'],
      work,
    );
  } finally {
    await connection
      .command(`SET SESSION TRANSACTION ISOLATION LEVEL ${connection.server.isolation}`)
      .catch(() => {});
  }
}

async function complete<T>(
  connection: Connection,
  [begin, end]: readonly [begin: string, end: string],
  work: (session: Transaction) => Promise<T>,
): Promise<T> {
  await connection.command(begin);
  const result = await work(loadingTransaction(connection, dialectOf(connection.server))).catch(
    async (error: unknown) => {
      // A connection that cannot even do that is not used again: the pool looks.
      await connection.command('ROLLBACK').catch(() => {});
      throw error;
    },
  );
  await connection.command(end);
  return result;
}
