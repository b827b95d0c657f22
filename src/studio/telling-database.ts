import type { Database, Dialect, Session } from '../model/database.ts';
import type { RowStream } from '../model/rows.ts';

/** The same database, whose errors are StudioErrors wherever its dialect knows what they mean. */
export function tellingDatabase(database: Database): Database {
  const { dialect } = database;
  const tell = <A extends readonly unknown[], T>(work: (...args: A) => Promise<T>) =>
    told(dialect, work);
  const session = tellingSession(dialect, database);
  return {
    ...database,
    ...session,
    transaction: tell((mode, work) =>
      database.transaction(mode, (inner) => work(tellingSession(dialect, inner))),
    ) as Database['transaction'],
    read: tell((work) =>
      database.read((inner) => work(tellingSession(dialect, inner))),
    ) as Database['read'],
    introspect: tell(() => database.introspect()),
    structureVersion: tell(() => database.structureVersion()),
    changeToken: tell(() => database.changeToken()),
    isBounded: tell((query) => database.isBounded(query)),
    estimateResult: tell((query) => database.estimateResult(query)),
    estimateRows: tell((tables) => database.estimateRows(tables)),
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

async function* tellingBatches(
  dialect: Dialect,
  batches: RowStream['batches'],
): RowStream['batches'] {
  try {
    yield* batches;
  } catch (error) {
    throw dialect.readError(error) ?? error;
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
      throw dialect.readError(error) ?? error;
    }
  };
}
