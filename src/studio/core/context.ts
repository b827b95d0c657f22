import type { Capability } from '../../model/capabilities.ts';
import type { Database } from '../../model/database.ts';
import type { CacheUseCounter } from './cache-uses.ts';
import type { ModelSettings } from './models.ts';
import type { Reply } from './reply.ts';
import type { SchemaCache } from './schema-cache.ts';
import type { TotalCache } from './total-cache.ts';

/** The database and the caches that every operation uses. `Context<'write'>`: the database can be written. */
export interface Context<C extends Capability = never> {
  readonly database: Database<C>;
  readonly schemas: SchemaCache;
  readonly totals: TotalCache;
  readonly cacheUses: CacheUseCounter;
  readonly limits: Limits;
  readonly access: Access;
  readonly models: ModelSettings;
}

/** What the operator allows clients to do. */
export interface Access {
  readonly readOnly: boolean;
  readonly disableSql: boolean;
  readonly allowDdl: boolean;
}

export interface Limits {
  /** The total of a row list is an estimate if counting takes longer. */
  readonly countMs: number;
  /** The row counts of the schema are estimates if counting all tables takes longer. */
  readonly schemaCountsMs: number;
}

export const defaultLimits: Limits = { countMs: 2000, schemaCountsMs: 250 };

/** How an operation is to run this time. */
export interface Invocation {
  /** The lane has opened the database read-only, so writes must be deferred to the write lane. */
  readonly isReadOnly: boolean;
  /** Only work whose cost is bounded by its result may run here. Other work must be deferred to a slow lane. */
  readonly boundedOnly: boolean;
  /** The operation failed before, and the structure was read again because of that. */
  readonly isRetry?: boolean;
  /**
   * Offers a reply that is sent if the final one is not available within the deadline. Undefined where
   * statements can be canceled.
   */
  readonly provisional?: (reply: Reply, deadlineMs: number) => void;
}

/** Thrown by an operation that must run in another lane. */
export class DeferToOtherLane extends Error {}
