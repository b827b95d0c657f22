import type { Database, RunOptions, Session } from '../model/database.ts';

/** The same database, whose statements end with a request: when its time is up, or its client has gone. */
export function boundedDatabase(database: Database, bounds: RunOptions): Database {
  return {
    ...database,
    ...boundedSession(database, bounds),
    transaction: (mode, work) =>
      database.transaction(mode, (inner) => work(boundedSession(inner, bounds))),
    read: (work) => database.read((inner) => work(boundedSession(inner, bounds))),
  };
}

/** What a statement is told itself comes first. */
function boundedSession(session: Session, bounds: RunOptions): Session {
  return {
    run: (query, options) => session.run(query, { ...bounds, ...options }),
    stream: (query, options) => session.stream(query, { ...bounds, ...options }),
  };
}
