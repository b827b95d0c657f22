import type { Session, ServerState } from '../../../model/database.ts';

/**
 * Between two transactions the time since the last one is no lag, so it only counts while received
 * changes are not applied yet, or while the standby receives none.
 */
const lag = `CASE
  WHEN NOT pg_catalog.pg_is_in_recovery() THEN NULL
  WHEN pg_catalog.pg_last_wal_receive_lsn() = pg_catalog.pg_last_wal_replay_lsn()
    AND EXISTS (SELECT FROM pg_catalog.pg_stat_wal_receiver) THEN 0
  ELSE EXTRACT(EPOCH FROM pg_catalog.clock_timestamp() - pg_catalog.pg_last_xact_replay_timestamp())
END::float8`;

/** Bytes of the write-ahead log. */
const position = `pg_catalog.pg_wal_lsn_diff(
  CASE WHEN pg_catalog.pg_is_in_recovery() THEN pg_catalog.pg_last_wal_replay_lsn()
  ELSE pg_catalog.pg_current_wal_insert_lsn() END, '0/0')::text`;

const text = `SELECT pg_catalog.pg_is_in_recovery(),
  pg_catalog.current_setting('default_transaction_read_only') = 'on', ${lag}, ${position}`;

/** A standby without a transaction since its start knows no lag. */
export async function serverState(session: Session): Promise<ServerState> {
  const { rows } = await session.run({ text, params: [] });
  const [isStandby, isReadOnly, lagSeconds, logPosition] = rows[0] ?? [];
  return {
    readOnlyReason: readOnlyReason(isStandby === true, isReadOnly === true),
    lagSeconds: typeof lagSeconds === 'number' ? Math.max(0, lagSeconds) : undefined,
    position: typeof logPosition === 'string' ? logPosition : undefined,
  };
}

/** Why the server takes no writes of this login. */
function readOnlyReason(isStandby: boolean, isReadOnly: boolean): string | undefined {
  if (isStandby) return 'The database server is a standby (pg_is_in_recovery()).';
  return isReadOnly
    ? 'Transactions of the database login are read-only (default_transaction_read_only).'
    : undefined;
}
