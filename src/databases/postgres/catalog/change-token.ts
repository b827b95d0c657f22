import { isAtOtherNodes } from '../dialect/distributed-table.ts';
import type { Query, Session } from '../../../model/database.ts';
import type { Table } from '../../../model/schema.ts';
import type { Value } from '../../../model/values.ts';

/**
 * Equal snapshots have equal rows: a writing transaction is in the snapshot's list until it ends, and one
 * that begins to write later raises its upper end. The WAL position changes when the server recovers from
 * a crash, which empties unlogged tables. There is no token on a standby, whose snapshots do not show
 * transactions of the primary, or if there are foreign tables, which no local snapshot covers.
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

/**
 * Views and policies may depend on the clock or on settings, and so do special date inputs such as `now`. A
 * write to a table at other nodes may leave no trace at this one.
 */
export function changesOnlyByCommits({ params }: Query, tables: readonly Table[]): boolean {
  return tables.every(isChangedByCommitsOnly) && !params.some(mayDependOnTime);
}

function isChangedByCommitsOnly(table: Table): boolean {
  const { kind, options } = table;
  return (
    (kind === 'table' || kind === 'materialized_view') &&
    options?.['row_security'] === undefined &&
    !isAtOtherNodes(table)
  );
}

/** https://www.postgresql.org/docs/current/datatype-datetime.html#DATATYPE-DATETIME-SPECIAL-VALUES, also inside ranges and arrays. */
function mayDependOnTime(param: Value): boolean {
  return typeof param === 'string' && /now|today|tomorrow|yesterday/i.test(param);
}
