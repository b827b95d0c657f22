import type { AcquireOptions } from '../../model/database.ts';

/** For reads of a table or view. If they hang, other requests still get connections. */
export function readUse(table: string): AcquireOptions {
  return { use: { kind: 'reads', table } };
}

export function writeUse(table: string): AcquireOptions {
  return { use: { kind: 'writes', table } };
}

/** For raw SQL, regardless of the tables that it uses. */
export const rawStatementUse: AcquireOptions = { use: { kind: 'statements' } };

/** For the row counts in the schema response. */
export const allCountsUse: AcquireOptions = { use: { kind: 'counts' } };
