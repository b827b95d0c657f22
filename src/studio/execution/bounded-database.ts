import { withDefaultLimits } from '../../databases/session-limits.ts';
import { asFullDatabase } from '../../model/supports.ts';
import type { Capability } from '../../model/capabilities.ts';
import type { Database, RunOptions, Transaction } from '../../model/database.ts';

/** Ends the statements of a request when its time limit expires or its client disconnects. */
export function boundedDatabase<D extends Database>(opened: D, bounds: RunOptions): D {
  const database = asFullDatabase(opened);
  const bounded: Database<Capability> = {
    ...withDefaultLimits(database, bounds),
    transaction: (mode, work, options) =>
      database.transaction(mode, (inner) => work(boundedTransaction(inner, bounds)), {
        ...bounds,
        ...options,
      }),
    runOutsideTransaction: (work, options) =>
      database.runOutsideTransaction((inner) => work(withDefaultLimits(inner, bounds)), {
        ...bounds,
        ...options,
      }),
    read: (work, options) =>
      database.read((inner) => work(withDefaultLimits(inner, bounds)), { ...bounds, ...options }),
    introspect: (options) => database.introspect({ ...bounds, ...options }),
    otherObjects: (options) => database.otherObjects({ ...bounds, ...options }),
    storedPrograms: (options) => database.storedPrograms({ ...bounds, ...options }),
    estimateResultRows: (query, options) =>
      database.estimateResultRows(query, { ...bounds, ...options }),
    estimateTableRows: (tables, options) =>
      database.estimateTableRows(tables, { ...bounds, ...options }),
  };
  return bounded as Database as D;
}

function boundedTransaction(
  transaction: Transaction<Capability>,
  bounds: RunOptions,
): Transaction<Capability> {
  return {
    ...withDefaultLimits(transaction, bounds),
    insert: (batch, options) => transaction.insert(batch, { ...bounds, ...options }),
  };
}
