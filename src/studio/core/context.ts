import type { Database } from '../../model/database.ts';
import type { ModelSettings } from './models.ts';
import type { Reply } from './reply.ts';
import type { SchemaCache } from './schema-cache.ts';
import type { TotalCache } from './total-cache.ts';

/** What every operation works with. */
export interface Context {
  readonly database: Database;
  readonly schemas: SchemaCache;
  readonly totals: TotalCache;
  readonly limits: Limits;
  readonly access: Access;
  readonly models: ModelSettings;
}

/** What the operator lets clients do. */
export interface Access {
  readonly readOnly: boolean;
  readonly disableSql: boolean;
  readonly allowDdl: boolean;
}

export interface Limits {
  /** A list's total is an estimate when counting outlasts this. */
  readonly countMs: number;
  /** The same for the counts of all tables together. */
  readonly schemaCountsMs: number;
}

export const defaultLimits: Limits = { countMs: 2000, schemaCountsMs: 250 };

/** One performance of an operation. */
export interface Turn {
  /** In a lane that holds the database read-only; writes are to be deferred to the one that does not. */
  readonly readsOnly: boolean;
  /** Only work whose cost is bounded by what it returns is done here; other work is to be deferred. */
  readonly boundedOnly: boolean;
  /** The structure was read again since the same operation failed for it. */
  readonly isRetry?: boolean;
  /**
   * Where statements cannot be interrupted: the answer to give if the final one is not there within
   * the deadline.
   */
  readonly provisional?: (reply: Reply, deadlineMs: number) => void;
}

/** Thrown by an operation whose work belongs in another lane. */
export class Deferred extends Error {}
