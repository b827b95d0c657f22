import type { Database, Dialect, Session, Transaction } from '../../model/database.ts';
import type { RowStream } from '../../model/rows.ts';

/** The same database, whose errors are StudioErrors wherever its dialect knows what they mean. */
export function tellingDatabase(database: Database): Database {
  const { dialect } = database;
  const telling = <A extends readonly unknown[], T>(work: (...args: A) => Promise<T>) =>
    told(dialect, work);
  const session = tellingSession(dialect, database);
  return {
    ...database,
    ...session,
    transaction: telling((mode, work, options) =>
      database.transaction(mode, (inner) => work(tellingTransaction(dialect, inner)), options),
    ) as Database['transaction'],
    read: telling((work, options) =>
      database.read((inner) => work(tellingSession(dialect, inner)), options),
    ) as Database['read'],
    administer: telling((work, options) =>
      database.administer((inner) => work(tellingSession(dialect, inner)), options),
    ) as Database['administer'],
    effectsOf: telling((text) => database.effectsOf(text)),
    effectsOfReading: telling((relations) => database.effectsOfReading(relations)),
    introspect: telling((options) => database.introspect(options)),
    otherObjects: telling((options) => database.otherObjects(options)),
    structureVersion: telling(() => database.structureVersion()),
    revisionOf: telling((by, table) => database.revisionOf(by, table)),
    changeToken: telling((by) => database.changeToken(by)),
    changesByCommitsAlone: telling((query, tables) =>
      database.changesByCommitsAlone(query, tables),
    ),
    isBounded: telling((query) => database.isBounded(query)),
    estimateResult: telling((query, options) => database.estimateResult(query, options)),
    estimateRows: telling((tables, options) => database.estimateRows(tables, options)),
  };
}

function tellingSession(dialect: Dialect, session: Session): Session {
  return {
    run: told(dialect, (query, options) => session.run(query, options)),
    stream: told(dialect, async (query, options) => {
      const stream = await session.stream(query, options);
      return { ...stream, batches: tellingBatches(dialect, stream.batches) };
    }),
  };
}

function tellingTransaction(dialect: Dialect, transaction: Transaction): Transaction {
  return {
    ...tellingSession(dialect, transaction),
    insert: told(dialect, (batch, options) => transaction.insert(batch, options)),
    beforeEmptying: told(dialect, (table) => transaction.beforeEmptying(table)),
    checkKeys: told(dialect, () => transaction.checkKeys()),
  };
}

async function* tellingBatches(
  dialect: Dialect,
  batches: RowStream['batches'],
): RowStream['batches'] {
  try {
    yield* batches;
  } catch (error) {
    throw tell(dialect, error);
  }
}

function told<A extends readonly unknown[], T>(
  dialect: Dialect,
  work: (...args: A) => Promise<T>,
): (...args: A) => Promise<T> {
  return async (...args) => {
    try {
      return await work(...args);
    } catch (error) {
      throw tell(dialect, error);
    }
  };
}

/** The database's own words stay with the error, for who has to tell them. */
function tell(dialect: Dialect, error: unknown): unknown {
  const meant = dialect.readError(error);
  if (meant !== undefined && meant !== error) meant.cause = error;
  return meant ?? error;
}
