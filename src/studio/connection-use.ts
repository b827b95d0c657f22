import type { AcquireOptions } from '../model/database.ts';

/** For what reads rows of a table or view: when they never come, the rest of the pool serves others. */
export function readsOf(table: string): AcquireOptions {
  return { use: { kind: 'reads', table } };
}

export function writesOf(table: string): AcquireOptions {
  return { use: { kind: 'writes', table } };
}

/** For a client's own statement, whatever it reads. */
export const ownStatement: AcquireOptions = { use: { kind: 'statements' } };

/** For counting all tables. */
export const allCounts: AcquireOptions = { use: { kind: 'counts' } };
