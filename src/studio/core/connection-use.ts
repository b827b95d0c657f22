import type { AcquireOptions } from '../../model/database.ts';

/** For reads of a table or view. A relation that never answers leaves connections to other requests. */
export function readsOf(table: string): AcquireOptions {
  return { use: { kind: 'reads', table } };
}

export function writesOf(table: string): AcquireOptions {
  return { use: { kind: 'writes', table } };
}

/** For raw SQL, whatever it reads. */
export const rawStatement: AcquireOptions = { use: { kind: 'statements' } };

/** For the row counts of all tables that the schema shows. */
export const allCounts: AcquireOptions = { use: { kind: 'counts' } };
