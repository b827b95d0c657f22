import { StatementsFailure } from '../../model/statements-failure.ts';
import { asFullDatabase } from '../../model/supports.ts';
import type { Capability } from '../../model/capabilities.ts';
import type {
  Database,
  Dialect,
  Session,
  StatementDatabase,
  Transaction,
} from '../../model/database.ts';
import type { RowStream } from '../../model/rows.ts';

/**
 * Translates the errors of a driver into StudioErrors, as far as the dialect knows them. Members of
 * capabilities that the database lacks are translated too; nobody calls them.
 */
export function withStudioErrors<D extends Database>(openDatabase: D): D {
  const database: Database<Capability> = asFullDatabase(openDatabase);
  const { dialect } = database;
  const translating = <A extends readonly unknown[], T>(work: (...args: A) => Promise<T>) =>
    translatingErrors(dialect, work);
  const session = sessionWithStudioErrors(dialect, database);
  const translated: Database<Capability> = {
    ...database,
    ...session,
    transaction: translating((mode, work, options) =>
      database.transaction(
        mode,
        (inner) => work(transactionWithStudioErrors(dialect, inner)),
        options,
      ),
    ) as Database<Capability>['transaction'],
    read: translating((work, options) =>
      database.read((inner) => work(sessionWithStudioErrors(dialect, inner)), options),
    ) as Database['read'],
    runOutsideTransaction: translating((work, options) =>
      database.runOutsideTransaction(
        (inner) => work(sessionWithStudioErrors(dialect, inner)),
        options,
      ),
    ) as StatementDatabase['runOutsideTransaction'],
    effectsOf: translating((text, options) => database.effectsOf(text, options)),
    introspectWithin: translating((inner) => database.introspectWithin(inner)),
    effectsOfReading: translating((relations) => database.effectsOfReading(relations)),
    introspect: translating((options) => database.introspect(options)),
    otherObjects: translating((options) => database.otherObjects(options)),
    structureVersion: translating(() => database.structureVersion()),
    revisionOf: translating((inner, table) => database.revisionOf(inner, table)),
    changeToken: translating((inner) => database.changeToken(inner)),
    changesOnlyByCommits: translating((query, tables) =>
      database.changesOnlyByCommits(query, tables),
    ),
    isPageCostBounded: translating((query) => database.isPageCostBounded(query)),
    serverState: translating(() => database.serverState()),
    estimateResultRows: translating((query, options) =>
      database.estimateResultRows(query, options),
    ),
    estimateTableRows: translating((tables, options) =>
      database.estimateTableRows(tables, options),
    ),
  };
  return translated as Database as D;
}

function sessionWithStudioErrors(dialect: Dialect, session: Session): Session {
  return {
    run: translatingErrors(dialect, (query, options) => session.run(query, options)),
    stream: translatingErrors(dialect, async (query, options) => {
      const stream = await session.stream(query, options);
      return { ...stream, batches: batchesWithStudioErrors(dialect, stream.batches) };
    }),
    ...(session.runAll && {
      runAll: (texts, options) =>
        session.runAll!(texts, options).catch((error: unknown) => {
          throw translateFailure(dialect, error);
        }),
    }),
  };
}

function translateFailure(dialect: Dialect, error: unknown): unknown {
  return error instanceof StatementsFailure
    ? new StatementsFailure(translateError(dialect, error.cause), error.index)
    : translateError(dialect, error);
}

function transactionWithStudioErrors(
  dialect: Dialect,
  transaction: Transaction<Capability>,
): Transaction<Capability> {
  return {
    ...sessionWithStudioErrors(dialect, transaction),
    insert: translatingErrors(dialect, (batch, options) => transaction.insert(batch, options)),
    uncheckedIndirectlyWrittenTables: translatingErrors(dialect, (table, changes) =>
      transaction.uncheckedIndirectlyWrittenTables(table, changes),
    ),
    runsTriggers: translatingErrors(dialect, (table, changes) =>
      transaction.runsTriggers(table, changes),
    ),
    mayRejectNull: translatingErrors(dialect, (table, columns) =>
      transaction.mayRejectNull(table, columns),
    ),
    mayLeavePendingTriggers: translatingErrors(dialect, (table) =>
      transaction.mayLeavePendingTriggers(table),
    ),
    beforeDeletingAllRows: translatingErrors(dialect, (table) =>
      transaction.beforeDeletingAllRows(table),
    ),
    checkForeignKeys: translatingErrors(dialect, () => transaction.checkForeignKeys()),
    ...(transaction.encodeAhead && { encodeAhead: transaction.encodeAhead }),
    ...(transaction.countDrawnValues && { countDrawnValues: transaction.countDrawnValues }),
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
