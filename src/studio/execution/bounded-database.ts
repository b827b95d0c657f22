import { boundedSession } from '../../databases/bounded-session.ts';
import type { Database, RunOptions, Transaction } from '../../model/database.ts';

/** Ends the statements of a request when its time limit expires or its client disconnects. */
export function boundedDatabase(database: Database, bounds: RunOptions): Database {
  return {
    ...boundedSession(database, bounds),
    transaction: (mode, work, options) =>
      database.transaction(mode, (inner) => work(boundedTransaction(inner, bounds)), {
        ...bounds,
        ...options,
      }),
    administer: (work, options) =>
      database.administer((inner) => work(boundedSession(inner, bounds)), {
        ...bounds,
        ...options,
      }),
    read: (work, options) =>
      database.read((inner) => work(boundedSession(inner, bounds)), { ...bounds, ...options }),
    introspect: (options) => database.introspect({ ...bounds, ...options }),
    otherObjects: (options) => database.otherObjects({ ...bounds, ...options }),
    estimateResult: (query, options) => database.estimateResult(query, { ...bounds, ...options }),
    estimateRows: (tables, options) => database.estimateRows(tables, { ...bounds, ...options }),
  };
}

function boundedTransaction(transaction: Transaction, bounds: RunOptions): Transaction {
  return {
    ...boundedSession(transaction, bounds),
    insert: (batch, options) => transaction.insert(batch, { ...bounds, ...options }),
  };
}
