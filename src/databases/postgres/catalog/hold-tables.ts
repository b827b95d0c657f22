import { postgresDdl } from '../dialect/ddl.ts';
import { revisionOf } from './revision.ts';
import type { Session } from '../../../model/database.ts';
import type { Table } from '../../../model/schema.ts';

/**
 * Locks the tables before the transaction takes its snapshot, which therefore shows their last change
 * (https://www.postgresql.org/docs/current/sql-lock.html). Fails for what cannot be locked at once: a
 * foreign table, one of which the role may read single columns only, one that another session changes.
 */
export async function holdTables(session: Session, tables: readonly Table[]): Promise<boolean> {
  const names = tables.map((table) => postgresDdl.tableName(table)).join(', ');
  await session.run({ text: `LOCK TABLE ${names} IN ACCESS SHARE MODE NOWAIT`, params: [] });
  for (const table of tables)
    if ((await revisionOf(session, table)) !== table.revision) return false;
  return true;
}
