import type { Database, RunOptions, Session, Transaction } from '../model/database.ts';

/** The same database, whose statements end with a request: when its time is up, or its client has gone. */
export function boundedDatabase(database: Database, bounds: RunOptions): Database {
  return {
    ...database,
    ...boundedSession(database, bounds),
    transaction: (mode, work, signal = bounds.signal) =>
      database.transaction(mode, (inner) => work(boundedTransaction(inner, bounds)), signal),
    administer: (work, signal = bounds.signal) =>
      database.administer((inner) => work(boundedSession(inner, bounds)), signal),
    read: (work, signal = bounds.signal) =>
      database.read((inner) => work(boundedSession(inner, bounds)), signal),
  };
}

/** What a statement is told itself comes first. */
function boundedSession(session: Session, bounds: RunOptions): Session {
  return {
    run: (query, options) => session.run(query, { ...bounds, ...options }),
    stream: (query, options) => session.stream(query, { ...bounds, ...options }),
  };
}

function boundedTransaction(transaction: Transaction, bounds: RunOptions): Transaction {
  return {
    ...boundedSession(transaction, bounds),
    insert: (batch, options) => transaction.insert(batch, { ...bounds, ...options }),
    checkKeys: () => transaction.checkKeys(),
  };
}
