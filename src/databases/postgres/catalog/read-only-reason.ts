import type { Session } from '../../../model/database.ts';

const text = `SELECT pg_catalog.pg_is_in_recovery(),
  pg_catalog.current_setting('default_transaction_read_only') = 'on'`;

/** Why the server takes no writes of this login. It may change at any time: a standby is promoted. */
export async function readOnlyReason(session: Session): Promise<string | undefined> {
  const { rows } = await session.run({ text, params: [] });
  const [isStandby, isReadOnly] = rows[0] ?? [];
  if (isStandby === true) return 'The database server is a standby (pg_is_in_recovery()).';
  return isReadOnly === true
    ? 'Transactions of the database login are read-only (default_transaction_read_only).'
    : undefined;
}
