/** What the server of a session is, for `target_session_attrs`. */
import type { SessionRole } from '../../target-session.ts';

/** Runs before the session setup, which makes sessions of a read-only studio read-only. */
export const sessionRoleQuery =
  "SELECT pg_catalog.pg_is_in_recovery() AS standby, pg_catalog.current_setting('transaction_read_only') AS read_only";

export function sessionRoleOf(row: unknown): SessionRole {
  const { standby: isStandby, read_only: readOnly } = row as {
    standby: boolean;
    read_only: string;
  };
  if (readOnly !== 'on') return { isStandby };
  const readOnlyFact = isStandby ? 'it is a standby' : 'its transactions are read-only by default';
  return { isStandby, readOnlyFact };
}
