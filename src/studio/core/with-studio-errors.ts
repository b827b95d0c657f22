import type { Database, Dialect, Session, Transaction } from '../../model/database.ts';
import type { RowStream } from '../../model/rows.ts';

/** Translates the errors of a driver into StudioErrors, as far as the dialect knows them. */
export function withStudioErrors(database: Database): Database {
  const { dialect } = database;
  const translating = <A extends readonly unknown[], T>(work: (...args: A) => Promise<T>) =>
    translatingErrors(dialect, work);
  const session = sessionWithStudioErrors(dialect, database);
  return {
    ...database,
    ...session,
    transaction: translating((mode, work, options) =>
      database.transaction(
        mode,
        (inner) => work(transactionWithStudioErrors(dialect, inner)),
        options,
      ),
    ) as Database['transaction'],
    read: translating((work, options) =>
      database.read((inner) => work(sessionWithStudioErrors(dialect, inner)), options),
    ) as Database['read'],
    runOutsideTransaction: translating((work, options) =>
      database.runOutsideTransaction(
        (inner) => work(sessionWithStudioErrors(dialect, inner)),
        options,
      ),
    ) as Database['runOutsideTransaction'],
    effectsOf: translating((text) => database.effectsOf(text)),
    effectsOfReading: translating((relations) => database.effectsOfReading(relations)),
    introspect: translating((options) => database.introspect(options)),
    otherObjects: translating((options) => database.otherObjects(options)),
    structureVersion: translating(() => database.structureVersion()),
    revisionOf: translating((by, table) => database.revisionOf(by, table)),
    changeToken: translating((by) => database.changeToken(by)),
    changesOnlyByCommits: translating((query, tables) =>
      database.changesOnlyByCommits(query, tables),
    ),
    isPageCostBounded: translating((query) => database.isPageCostBounded(query)),
    estimateResultRows: translating((query, options) =>
      database.estimateResultRows(query, options),
    ),
    estimateTableRows: translating((tables, options) =>
      database.estimateTableRows(tables, options),
    ),
  };
}

function sessionWithStudioErrors(dialect: Dialect, session: Session): Session {
  return {
    run: translatingErrors(dialect, (query, options) => session.run(query, options)),
    stream: translatingErrors(dialect, async (query, options) => {
      const stream = await session.stream(query, options);
      return { ...stream, batches: batchesWithStudioErrors(dialect, stream.batches) };
    }),
  };
}

function transactionWithStudioErrors(dialect: Dialect, transaction: Transaction): Transaction {
  return {
    ...sessionWithStudioErrors(dialect, transaction),
    insert: translatingErrors(dialect, (batch, options) => transaction.insert(batch, options)),
    uncheckedSideWrites: translatingErrors(dialect, (table, changes) =>
      transaction.uncheckedSideWrites(table, changes),
    ),
    beforeDeletingAllRows: translatingErrors(dialect, (table) =>
      transaction.beforeDeletingAllRows(table),
    ),
    checkForeignKeys: translatingErrors(dialect, () => transaction.checkForeignKeys()),
  };
}

async function* batchesWithStudioErrors(
  dialect: Dialect,
  batches: RowStream['batches'],
): RowStream['batches'] {
  try {
    yield* batches;
  } catch (error) {
    throw translateError(dialect, error);
  }
}

function translatingErrors<A extends readonly unknown[], T>(
  dialect: Dialect,
  work: (...args: A) => Promise<T>,
): (...args: A) => Promise<T> {
  return async (...args) => {
    try {
      return await work(...args);
    } catch (error) {
      throw translateError(dialect, error);
    }
  };
}

/** The driver's error becomes the cause, which has the database's own message. */
function translateError(dialect: Dialect, error: unknown): unknown {
  const translated = dialect.translateError(error);
  if (translated !== undefined && translated !== error) translated.cause = error;
  return translated ?? error;
}
