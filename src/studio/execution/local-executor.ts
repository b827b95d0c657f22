import { boundedDatabase } from './bounded-database.ts';
import { createContext } from '../core/create-context.ts';
import { performOperation } from './operations.ts';
import type { Database } from '../../model/database.ts';
import type { Access } from '../core/context.ts';
import type { Executor } from './executor.ts';
import type { ModelSettings } from '../core/models.ts';

/** For databases whose drivers end statements themselves: operations run in this process. */
export function createLocalExecutor(
  database: Database,
  access: Access,
  models: ModelSettings,
): Executor {
  const context = createContext(database, access, models);
  return {
    perform: (name, input, bounds) =>
      performOperation(
        { ...context, database: boundedDatabase(context.database, bounds) },
        { name, input },
        { boundedOnly: false, readsOnly: false },
      ),
    // What is journaled is recovered by the studio, which knows where the journals are.
    recover: () => Promise.resolve({ isUndone: false, left: [] }),
    addJob: () => ({ committing: () => {}, end: () => {} }),
    stats: () => database.poolStats(),
    close: () => database.close(),
  };
}
