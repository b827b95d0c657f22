import type { Capability } from './capabilities.ts';
import type { Database, Dialect } from './database.ts';

/** Whether a database has a capability: its dialect then has the members of that name. */
export function supports<C extends Capability>(
  dialect: Dialect,
  capability: C,
): dialect is Dialect<C> {
  return dialect[capability] !== undefined;
}

/**
 * The same database with the members of all capabilities in its type. Only for wrappers, which replace
 * members of a database without calling them.
 */
export function asFullDatabase(database: Database): Database<Capability> {
  return database as Database<Capability>;
}

/** The database with these capabilities, for callers that know that it has them. */
export function withCapabilities<C extends Capability>(
  database: Database,
  capabilities: readonly C[],
): Database<C> {
  const missing = capabilities.find((capability) => !supports(database.dialect, capability));
  if (missing === undefined) return asFullDatabase(database);
  throw new Error(`The database ${database.dialect.name} lacks the capability ${missing}.`);
}
