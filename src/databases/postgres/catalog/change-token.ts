import type { Query, Session } from '../../../model/database.ts';
import type { Table } from '../../../model/schema.ts';
import type { Value } from '../../../model/values.ts';

/**
 * Equal snapshots show equal rows: a transaction that has written stays in the list until it ends, and
 * one that begins to write later moves the upper end. The position in the log distinguishes a server that has
 * recovered from a crash, which empties unlogged tables, from the one before. A standby's snapshots
 * leave out what runs on the primary, and another server's rows, which a partition may be, follow no
 * snapshot of this one.
 */
const tokenQuery = {
  text: `SELECT pg_catalog.pg_postmaster_start_time()::text || ' ' || pg_catalog.pg_current_snapshot()::text
  || ' ' || pg_catalog.pg_current_wal_insert_lsn()::text
WHERE NOT pg_catalog.pg_is_in_recovery() AND NOT EXISTS (SELECT FROM pg_catalog.pg_foreign_table)`,
  params: [],
};

export async function changeToken(session: Session): Promise<string | undefined> {
  const { rows } = await session.run(tokenQuery);
  return rows[0] === undefined ? undefined : String(rows[0][0]);
}

/** Views and policies may look at the clock or at settings; so does a time that is written as a word. */
export function changesByCommitsAlone({ params }: Query, tables: readonly Table[]): boolean {
  return tables.every(followsCommits) && !params.some(namesTime);
}

function followsCommits({ kind, options }: Table): boolean {
  return (
    (kind === 'table' || kind === 'materialized_view') && options?.['row_security'] === undefined
  );
}

/** https://www.postgresql.org/docs/current/datatype-datetime.html#DATATYPE-DATETIME-SPECIAL-VALUES, in ranges and arrays too. */
function namesTime(param: Value): boolean {
  return typeof param === 'string' && /now|today|tomorrow|yesterday/i.test(param);
}
