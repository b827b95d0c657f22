import { createCacheUseCounter } from './cache-uses.ts';
import { defaultLimits } from './context.ts';
import { createModels, noModels } from './models.ts';
import { countSchemaUses, createSchemaCache } from './schema-cache.ts';
import { withStudioErrors } from './with-studio-errors.ts';
import { countTotalUses, createTotalCache } from './total-cache.ts';
import type { Capability } from '../../model/capabilities.ts';
import type { Database } from '../../model/database.ts';
import type { Access, Context } from './context.ts';
import type { ModelSettings } from './models.ts';

/** The context of the operations and jobs on a database. */
export function createContext<C extends Capability = never>(
  database: Database<C>,
  access: Access,
  models: ModelSettings = noModels,
): Context<C> {
  const withErrors = withStudioErrors(database);
  const cacheUses = createCacheUseCounter();
  return {
    database: withErrors,
    schemas: countSchemaUses(createSchemaCache(withErrors, createModels(models)), cacheUses),
    totals: countTotalUses(createTotalCache(), cacheUses),
    cacheUses,
    limits: defaultLimits,
    access,
    models,
  };
}
