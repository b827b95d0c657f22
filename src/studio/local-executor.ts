import { boundedDatabase } from './bounded-database.ts';
import { defaultLimits } from './context.ts';
import { createModels, noModels } from './models.ts';
import { performOperation } from './operations.ts';
import { createSchemaCache } from './schema-cache.ts';
import { tellingDatabase } from './telling-database.ts';
import { createTotalCache } from './total-cache.ts';
import type { Database } from '../model/database.ts';
import type { Access, Context } from './context.ts';
import type { Executor } from './executor.ts';
import type { ModelSettings } from './models.ts';

export function createContext(
  database: Database,
  access: Access,
  models: ModelSettings = noModels,
): Context {
  const telling = tellingDatabase(database);
  return {
    database: telling,
    schemas: createSchemaCache(telling, createModels(models)),
    totals: createTotalCache(),
    limits: defaultLimits,
    access,
    models,
  };
}

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
    recover: () => Promise.resolve(),
    stats: () => database.poolStats(),
    close: () => database.close(),
  };
}
