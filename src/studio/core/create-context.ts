import { defaultLimits } from './context.ts';
import { createModels, noModels } from './models.ts';
import { createSchemaCache } from './schema-cache.ts';
import { tellingDatabase } from './telling-database.ts';
import { createTotalCache } from './total-cache.ts';
import type { Database } from '../../model/database.ts';
import type { Access, Context } from './context.ts';
import type { ModelSettings } from './models.ts';

/** What operations and jobs on a database work with. */
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
