import { boundedDatabase } from './bounded-database.ts';
import { findCachedTables } from '../core/cached-tables.ts';
import { createContext } from '../core/create-context.ts';
import { performOperation } from './operations.ts';
import type { Database } from '../../model/database.ts';
import type { Access } from '../core/context.ts';
import type { Executor } from './executor.ts';
import type { ModelSettings } from '../core/models.ts';

/** Performs operations in this process, for databases whose drivers can cancel statements. */
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
        { boundedOnly: false, isReadOnly: false },
      ),
    cachedTables: (names) => findCachedTables(context, names),
    // The studio itself undoes the journals of killed imports (`recovery.ts`): only it knows their folder.
    recover: () => Promise.resolve({ isUndone: false, objectsLeft: [], objectsInDoubt: [] }),
    // These databases take writes while they are read, so a job need not end reads.
    addJob: () => ({ committing: () => {}, end: () => {} }),
    // If this read fails, the next operation reads again.
    structureChanged: () => void context.schemas.refresh().catch(() => undefined),
    stats: () => database.poolStats(),
    cacheUses: () => context.cacheUses.counted(),
    close: () => database.close(),
  };
}
