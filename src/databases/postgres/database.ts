import { otherObjects } from './catalog/other-objects.ts';
import { storedPrograms } from './catalog/stored-programs.ts';
import { StudioError } from '../../model/errors.ts';
import { calledFunctionsQuery } from './effects/called-functions-query.ts';
import { changeToken, changesOnlyByCommits } from './catalog/change-token.ts';
import { readUrl } from './driver/connection-options.ts';
import { postgresDialect } from './dialect/dialect.ts';
import { connect } from './driver/connect.ts';
import { connectionError } from './driver/connection-error.ts';
import { serverState } from './catalog/server-state.ts';
import { errorOffset } from './driver/error-offset.ts';
import { createHostOrder } from '../host-order.ts';
import { effectsOf, effectsOfReading } from './effects/effects-of.ts';
import { isAtOtherNodes } from './dialect/distributed-table.ts';
import { readTableOfShard, readNamesOfShardId } from './catalog/distribution.ts';
import { estimateResultRows, estimateTableRows } from './catalog/estimate.ts';
import { hasCurrentSnapshot } from './catalog/current-snapshot.ts';
import { holdTables } from './catalog/hold-tables.ts';
import { introspect } from './catalog/introspect.ts';
import { withPortableNames } from './catalog/portable-names.ts';
import { loadingTransaction } from './load/load.ts';
import { loadTypes } from './dialect/load-types.ts';
import { withDefaultLimits, catalogLimits } from '../session-limits.ts';
import { noResponseError } from '../cancel-statement.ts';
import { createPool, idlePoolOr } from '../pool.ts';
import { statsOfAll, streamFrom } from '../pooled-session.ts';
import { unlockAndCheckQuery } from './driver/replaced-statements.ts';
import { externalAccessQuery } from './effects/external-access.ts';
import { createVersionReader, revisionOf } from './catalog/revision.ts';
import { commitAndReset, sessionSetup } from './driver/session-setup.ts';
import { createStatementNames } from './driver/statement-names.ts';
import { createTypeCatalog } from './dialect/types.ts';
import { withCleanup } from '../with-cleanup.ts';
import type { Capability } from '../../model/capabilities.ts';
import type {
  Database,
  RunOptions,
  Session,
  DatabaseTarget,
  Transaction,
  TransactionMode,
} from '../../model/database.ts';
import type { Table } from '../../model/schema.ts';
import type { Connection } from './driver/connection.ts';
import type { HostSettings } from './driver/connection-options.ts';
import type { DriverOptions } from './driver/driver.ts';
import type { Pool } from '../pool.ts';

const waitMs = 5000;
const idleMs = 60_000;
const namedStatements = 200;

const effectQueries = [calledFunctionsQuery.text, externalAccessQuery];

/** Opens a database; fails with `database_unavailable` when it cannot be reached. */
export async function openPostgres(target: DatabaseTarget): Promise<Database<Capability>> {
  const connection = readUrl(target.url);
  const types = createTypeCatalog();
  const names = createStatementNames(namedStatements, effectQueries);
  const driver: DriverOptions = {
    connection,
    hostOrder: createHostOrder(connection.hosts, connection.balancesLoad),
    setup: sessionSetup(target, connection),
    types,
    names,
    tableOfShard: (...shard) =>
      read(queries, catalogLimits, (session) => readTableOfShard(session, ...shard)),
    namesOfShardId: (id) =>
      read(queries, catalogLimits, (session) => readNamesOfShardId(session, id)),
    learnTypes: async (oids) =>
      types.add(await read(queries, catalogLimits, (session) => loadTypes(session, oids))),
  };
  const sessionDefaults = createSessionDefaults();
  const { watchesServer = false } = target;
  const { maxConnections } = connection;
  const pool = openPool(driver, sessionDefaults, { maxConnections, watchesServer });
  // Catalog queries run while another connection is in use. Waiting for the same pool could deadlock.
  const queries = openPool(driver, sessionDefaults, { maxConnections: 1, watchesServer });
  const readVersion = createVersionReader();
  const inspect: Inspect = (work) => read(idlePoolOr(pool, queries), catalogLimits, work);
  await pool.use(async () => {});
  return {
    dialect: postgresDialect,
    run: (query, options) => pool.use((session) => session.run(query, options), options),
    stream: (query, options) =>
      streamFrom(pool, (session) => session.stream(query, options), options),
    read: (work, options) => pool.use((session) => work(readOnly(session)), options),
    transaction: (mode, work, options = {}) => {
      const scope = { mode, options, setup: driver.setup };
      return useFor(pool, mode)((session) => inTransaction(session, scope, work), options);
    },
    runOutsideTransaction: (work, options) => pool.useOnce(work, options),
    effectsOf: (text, options) => inspect((session) => effectsOf(session, text, { ...target, ...options })), // prettier-ignore
    effectsOfReading: (tables) => inspect((session) => effectsOfReading(session, tables, target)),
    introspect: (options) => {
      names.clear();
      return readDefinitions(idlePoolOr(pool, queries), options, (session) =>
        introspect(session, types),
      );
    },
    ...catalogReaders(queries),
    structureVersion: async () => {
      const { catalog, defaults } = await idlePoolOr(pool, queries).use((session) =>
        readVersion(withDefaultLimits(session, catalogLimits)),
      );
      sessionDefaults.update(defaults);
      return `${catalog} ${defaults}`;
    },
    ...withoutPool,
    serverState: () => inspect(serverState),
    poolStats: () => statsOfAll([pool, queries]),
    // Work in the first pool may still need the second one.
    close: () => pool.close().then(() => queries.close()),
  };
}

/** Members that need no connection of the pools. */
const withoutPool = {
  hasSnapshot: (tables) =>
    Promise.resolve(!tables.some((table) => isForeign(table) || isAtOtherNodes(table))),
  errorOffset,
  // The session may be rolled back, so the types that it creates do not reach the shared catalog.
  introspectWithin: (session) =>
    withPortableNames(
      { session, set: (text) => session.run({ text, params: [] }), isLocal: true },
      () => introspect(session, createTypeCatalog()),
    ),
  isStructureVersionCheap: false,
  revisionOf,
  holdTables,
  hasCurrentSnapshot,
  changeToken,
  changesOnlyByCommits: (query, tables) => Promise.resolve(changesOnlyByCommits(query, tables)),
  // The server cancels statements after a time limit.
  isPageCostBounded: () => Promise.resolve(true),
} satisfies Partial<Database<Capability>>;

function isForeign({ options }: Table): boolean {
  return options?.['foreign_server'] !== undefined;
}

type Inspect = <T>(work: (session: Session) => Promise<T>) => Promise<T>;

/** Read in the pool of catalog queries. */
function catalogReaders(
  queries: Pool<Connection>,
): Pick<Database, 'otherObjects' | 'storedPrograms' | 'estimateResultRows' | 'estimateTableRows'> {
  return {
    otherObjects: (options) => readDefinitions(queries, options, otherObjects),
    storedPrograms: (options) => readDefinitions(queries, options, storedPrograms),
    estimateResultRows: (query, options) =>
      read(queries, options, (session) => estimateResultRows(session, query)),
    estimateTableRows: (tables, options) =>
      read(queries, options, (session) => estimateTableRows(session, tables)),
  };
}

function read<T>(
  pool: Pool<Connection>,
  options: RunOptions = {},
  work: (session: Session) => Promise<T>,
): Promise<T> {
  return pool.use((session) => work(readOnly(session, options)), options);
}

function readDefinitions<T>(
  pool: Pool<Connection>,
  options: RunOptions = {},
  work: (session: Session) => Promise<T>,
): Promise<T> {
  return pool.use((connection) => {
    const session = readOnly(connection, options);
    const set = (text: string): Promise<unknown> =>
      connection.control(text).catch((error: unknown) => {
        connection.destroy();
        throw error;
      });
    return withPortableNames({ session, set, isLocal: false }, () => work(session));
  }, options);
}

/** Tracks which connections were set up with the current session defaults (ALTER ROLE … SET, ALTER DATABASE … SET). */
interface SessionDefaults {
  update(defaults: string): void;
  register(connection: Connection): Connection;
  isCurrent(connection: Connection): boolean;
}

function createSessionDefaults(): SessionDefaults {
  const generations = new WeakMap<Connection, number>();
  let generation = 0;
  let last: string | undefined;
  return {
    update: (defaults) => {
      if (last !== undefined && last !== defaults) generation += 1;
      last = defaults;
    },
    register: (connection) => {
      generations.set(connection, generation);
      return connection;
    },
    isCurrent: (connection) => generations.get(connection) === generation,
  };
}

interface PoolSettings {
  readonly maxConnections: number;
  readonly watchesServer: boolean;
}

function openPool(
  driver: DriverOptions,
  sessionDefaults: SessionDefaults,
  { maxConnections, watchesServer }: PoolSettings,
): Pool<Connection> {
  // With several hosts, another one may answer instead of a server that does not.
  const watches = watchesServer || driver.connection.hosts.length > 1;
  return createPool<Connection>({
    maxConnections,
    waitMs,
    idleMs,
    open: async (signal) => sessionDefaults.register(await connect(driver, signal)),
    openBeside: ({ host }, signal) => connect(atHost(driver, host), signal),
    isUsable: (connection) => connection.isUsable() && sessionDefaults.isCurrent(connection),
    isLost: (connection) => connection.isLost(),
    destroy: (connection) => {
      driver.hostOrder.failed(connection.host, 'no response');
      connection.destroy();
    },
    close: (connection) => connection.close(),
    transferredBytes: watches ? (connection) => connection.transferredBytes() : undefined,
  });
}

/** The options of connections to one of the hosts only, whatever its role. */
function atHost(driver: DriverOptions, host: HostSettings): DriverOptions {
  const connection = { ...driver.connection, targetSession: 'any' as const };
  return { ...driver, connection, hostOrder: createHostOrder([host], false) };
}

/** Functions called by views, policies and operators may write. In a read-only transaction the server rejects that. */
function readOnly(connection: Connection, bounds: RunOptions = {}): Session {
  const session: Session = {
    run: connection.read,
    stream: async (query, options = {}) => {
      await connection.begin(beginStatements.read, options);
      try {
        const { columns, batches } = await connection.stream(query, options);
        const end = (): Promise<void> => rollBack(connection, options);
        return { columns, batches: withCleanup(batches, end) };
      } catch (error) {
        await rollBack(connection, options);
        throw error;
      }
    },
  };
  return withDefaultLimits(session, bounds);
}

const beginStatements: Readonly<Record<TransactionMode, string>> = {
  read: 'BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY',
  write: 'BEGIN',
  load: 'BEGIN',
  ddl: 'BEGIN',
  sql: 'BEGIN',
};

function useFor(pool: Pool<Connection>, mode: TransactionMode): Pool<Connection>['use'] {
  return mode === 'sql' ? pool.useOnce : pool.use;
}

interface TransactionOptions {
  readonly mode: TransactionMode;
  readonly options: RunOptions;
  /** The statements that set up a session. */
  readonly setup: string;
}

async function inTransaction<T>(
  connection: Connection,
  { mode, options, setup }: TransactionOptions,
  work: (session: Transaction<Capability>) => Promise<T>,
): Promise<T> {
  await connection.begin(beginStatements[mode], options);
  const result = await work(loadingTransaction(connection)).catch(async (error: unknown) => {
    await rollBack(connection, options);
    throw error;
  });
  // A read is rolled back, which also reverts settings that its statements changed.
  if (mode === 'read') await rollBack(connection, options);
  else await commit(connection, { options, setup });
  return result;
}

/**
 * The rollback also reverts settings, LISTEN and temporary tables. If it fails, the pool does not reuse
 * the connection.
 */
async function rollBack(connection: Connection, options: RunOptions): Promise<void> {
  await connection.control(`ROLLBACK; ${unlockAndCheckQuery}`, options).catch(() => {});
}

/** COMMIT rolls back a failed transaction without an error; only its command tag shows it. */
async function commit(
  connection: Connection,
  { options, setup }: Omit<TransactionOptions, 'mode'>,
): Promise<void> {
  const { command } = await connection
    .control(commitAndReset(setup), options)
    .catch(async (error: unknown) => {
      // A deferred trigger may have failed. The server then skips the statements after COMMIT.
      await rollBack(connection, options);
      throw connection.isLost() ? connectionError(noResponseError()) : error;
    });
  if (command !== 'ROLLBACK') return;
  throw new StudioError(
    'write_conflict',
    'A statement of the transaction failed; nothing was written.',
  );
}
