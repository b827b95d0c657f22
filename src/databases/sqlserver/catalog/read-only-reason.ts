import type { Session } from '../../../model/database.ts';

const text = 'SELECT CAST(is_read_only AS int) FROM sys.databases WHERE name = DB_NAME()';

/** Why the database takes no writes. */
export async function readOnlyReason(session: Session): Promise<string | undefined> {
  const { rows } = await session.run({ text, params: [] });
  return rows[0]?.[0] === 1 ? 'The database is set to READ_ONLY.' : undefined;
}
