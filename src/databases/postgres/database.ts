import { otherObjects } from './catalog/other-objects.ts';
import { StudioError } from '../../model/errors.ts';
import { calledFunctionsQuery } from './effects/called-functions-query.ts';
import { changeToken, changesByCommitsAlone } from './catalog/change-token.ts';
import { readUrl } from './driver/connection-options.ts';
import { postgresDialect } from './dialect/dialect.ts';
import { connect } from './driver/connect.ts';
import { connectionError } from './driver/connection-error.ts';
import { effectsOf, effectsOfReading } from './effects/effects-of.ts';
import { estimateResult, estimateRows } from './catalog/estimate.ts';
import { introspect } from './catalog/introspect.ts';
import { loadingTransaction } from './load/load.ts';
import { loadTypes } from './dialect/load-types.ts';
import { withDefaultLimits, catalogLimits } from '../session-limits.ts';
import { noResponseError } from '../cancel-statement.ts';
import { createPool, idlePoolOr } from '../pool.ts';
import { statsOfAll, streamFrom } from '../pooled-session.ts';
import { unlockAndCheckQuery } from './driver/replaced-statements.ts';
import { outsideQuery } from './effects/reaches-outside.ts';
import { createVersionReader, revisionOf } from './catalog/revision.ts';
import { commitAndReset, sessionSetup } from './driver/session-setup.ts';
import { createStatementNames } from './driver/statement-names.ts';
import { createTypeCatalog } from './dialect/types.ts';
import { withCleanup } from '../with-cleanup.ts';
import type {
  Database,
  RunOptions,
  Session,
  Target,
  Transaction,
  TransactionMode,
} from '../../model/database.ts';
import type { Table } from '../../model/schema.ts';
import type { Connection } from './driver/connection.ts';
import type { DriverOptions } from './driver/driver.ts';
import type { Pool } from '../pool.ts';

const waitMs = 5000;
const idleMs = 60_000;
const namedStatements = 200;

/** Opens a database; fails with `database_unavailable` when it cannot be reached. */
export async function openPostgres(target: Target): Promise<Database> {
  const connection = readUrl(target.url);
  const types = createTypeCatalog();
  const names = createStatementNames(namedStatements, [calledFunctionsQuery, outsideQuery]);
  const driver: DriverOptions = {
    connection,
    setup: sessionSetup(target, connection),
    types,
    names,
    learnTypes: async (oids) =>
      types.add(await ask(questions, catalogLimits, (session) => loadTypes(session, oids))),
  };
  const age = createAge();
  const pool = openPool(driver, connection.mostConnections, age);
  // Asked while another connection is held: were they to wait for one of the same pool, all could wait for all.
  const questions = openPool(driver, 1, age);
  const readVersion = createVersionReader();
  const inspect: Inspect = (work) => ask(idlePoolOr(pool, questions), catalogLimits, work);
  await pool.use(async () => {});
  return {
    dialect: postgresDialect,
    run: (query, options) => pool.use((session) => session.run(query, options), options),
    stream: (query, options) =>
      streamFrom(pool, (session) => session.stream(query, options), options),
    read: (work, options) => pool.use((session) => work(readOnly(session)), options),
    transaction: (mode, work, options = {}) => {
      const how = { mode, options, setup: driver.setup };
      return useFor(pool, mode)((session) => inTransaction(session, how, work), options);
    },
    administer: (work, options) => pool.useOnce(work, options),
    hasSnapshot: (tables) => Promise.resolve(!tables.some(isForeign)),
    effectsOf: (text) => inspect((session) => effectsOf(session, text, target)),
    effectsOfReading: (tables) => inspect((session) => effectsOfReading(session, tables, target)),
    introspect: (options) => {
      names.forget();
      return ask(idlePoolOr(pool, questions), options, (session) => introspect(session, types));
    },
    otherObjects: (options) => ask(questions, options, otherObjects),
    structureVersion: async () => {
      const { catalog, defaults } = await idlePoolOr(pool, questions).use((session) =>
        readVersion(withDefaultLimits(session, catalogLimits)),
      );
      age.follow(defaults);
      return `${catalog} ${defaults}`;
    },
    isVersionCheap: false,
    revisionOf,
    changeToken,
    changesByCommitsAlone: (query, tables) => Promise.resolve(changesByCommitsAlone(query, tables)),
    // A time limit ends statements in the server.
    isBounded: () => Promise.resolve(true),
    estimateResult: (query, options) =>
      ask(questions, options, (session) => estimateResult(session, query)),
    estimateRows: (tables, options) =>
      ask(questions, options, (session) => estimateRows(session, tables)),
    poolStats: () => statsOfAll([pool, questions]),
    // What still runs in the one may have a question for the other.
    close: () => pool.close().then(() => questions.close()),
  };
}

function isForeign({ options }: Table): boolean {
  return options?.['foreign_server'] !== undefined;
}

type Inspect = <T>(work: (session: Session) => Promise<T>) => Promise<T>;

function ask<T>(
  pool: Pool<Connection>,
  options: RunOptions = {},
  work: (session: Session) => Promise<T>,
): Promise<T> {
  return pool.use((session) => work(readOnly(session, options)), options);
}

/** Which connections were set up by the defaults of sessions as they are now. */
interface Age {
  follow(defaults: string): void;
  born(connection: Connection): Connection;
  isCurrent(connection: Connection): boolean;
}

function createAge(): Age {
  const generations = new WeakMap<Connection, number>();
  let generation = 0;
  let last: string | undefined;
  return {
    follow: (defaults) => {
      if (last !== undefined && last !== defaults) generation += 1;
      last = defaults;
    },
    born: (connection) => {
      generations.set(connection, generation);
      return connection;
    },
    isCurrent: (connection) => generations.get(connection) === generation,
  };
}

function openPool(driver: DriverOptions, most: number, age: Age): Pool<Connection> {
  return createPool<Connection>({
    maxConnections: most,
    waitMs,
    idleMs,
    open: async (signal) => age.born(await connect(driver, signal)),
    isUsable: (connection) => connection.isUsable() && age.isCurrent(connection),
    isLost: (connection) => connection.isLost(),
    destroy: (connection) => connection.destroy(),
    close: (connection) => connection.close(),
  });
}

/** Views, policies and operators call functions, which may write: outside a write, the server refuses that. */
function readOnly(connection: Connection, bounds: RunOptions = {}): Session {
  const session: Session = {
    run: connection.read,
    stream: async (query, options = {}) => {
      await connection.control(beginnings.read, options);
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

const beginnings: Readonly<Record<TransactionMode, string>> = {
  read: 'BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY',
  write: 'BEGIN',
  sql: 'BEGIN',
};

function useFor(pool: Pool<Connection>, mode: TransactionMode): Pool<Connection>['use'] {
  return mode === 'sql' ? pool.useOnce : pool.use;
}

interface TransactionOptions {
  readonly mode: TransactionMode;
  readonly options: RunOptions;
  /** What makes a connection a session of the studio. */
  readonly setup: string;
}

async function inTransaction<T>(
  connection: Connection,
  { mode, options, setup }: TransactionOptions,
  work: (session: Transaction) => Promise<T>,
): Promise<T> {
  await connection.control(beginnings[mode], options);
  const result = await work(loadingTransaction(connection)).catch(async (error: unknown) => {
    await rollBack(connection, options);
    throw error;
  });
  // A read ends so too: that takes back the settings that a statement of it may have changed.
  if (mode === 'read') await rollBack(connection, options);
  else await commit(connection, { options, setup });
  return result;
}

/**
 * Settings, LISTEN and temporary tables go with the transaction. A connection that cannot even do
 * that is not used again: the pool looks.
 */
async function rollBack(connection: Connection, options: RunOptions): Promise<void> {
  await connection.control(`ROLLBACK; ${unlockAndCheckQuery}`, options).catch(() => {});
}

/** A transaction in which a statement has failed is rolled back by COMMIT without an error. */
async function commit(
  connection: Connection,
  { options, setup }: Omit<TransactionOptions, 'mode'>,
): Promise<void> {
  const { command } = await connection
    .control(commitAndReset(setup), options)
    .catch(async (error: unknown) => {
      // A deferred trigger may have failed, and the server has skipped the rest.
      await rollBack(connection, options);
      throw connection.isLost() ? connectionError(noResponseError()) : error;
    });
  if (command !== 'ROLLBACK') return;
  throw new StudioError(
    'write_conflict',
    'A statement of the transaction had failed; nothing was written.',
  );
}
