import { boundedDatabase } from './bounded-database.ts';
import { defaultLimits } from './context.ts';
import { performOperation } from './operations.ts';
import { createSchemaCache } from './schema-cache.ts';
import { tellingDatabase } from './telling-database.ts';
import { createTotalCache } from './total-cache.ts';
import type { Database } from '../model/database.ts';
import type { Access, Context } from './context.ts';
import type { Executor } from './executor.ts';

export function createContext(database: Database, access: Access): Context {
  const telling = tellingDatabase(database);
  return {
    database: telling,
    schemas: createSchemaCache(telling),
    totals: createTotalCache(),
    limits: defaultLimits,
    access,
  };
}

/** For databases whose drivers end statements themselves: operations run in this process. */
export function createLocalExecutor(database: Database, access: Access): Executor {
  const context = createContext(database, access);
  return {
    perform: (name, input, bounds) =>
      performOperation(
        { ...context, database: boundedDatabase(context.database, bounds) },
        { name, input },
        { boundedOnly: false, readsOnly: false },
      ),
    stats: () => database.poolStats(),
    close: () => database.close(),
  };
}
