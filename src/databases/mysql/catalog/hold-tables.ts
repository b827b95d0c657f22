import { quoteName } from '../dialect/ddl.ts';
import { readTableCatalog, withoutWaiting } from './catalog.ts';
import { revisionFrom } from './revision.ts';
import type { Session } from '../../../model/database.ts';
import type { Table } from '../../../model/schema.ts';
import type { ServerInfo } from '../dialect/server-info.ts';

/**
 * A read of a row locks the table's definition until the transaction ends. It fails if the table was
 * changed after the transaction took its snapshot, even if its definition is the same again.
 */
export async function holdTables(
  session: Session,
  tables: readonly Table[],
  server: ServerInfo,
): Promise<boolean> {
  for (const { localName, revision } of tables) {
    const statement = `SELECT 1 FROM ${quoteName(localName)} LIMIT 1`;
    await session.run({ text: withoutWaiting(statement, server), params: [] });
    const catalog = await readTableCatalog(session, server, localName);
    if (catalog === undefined || revisionFrom(catalog) !== revision) return false;
  }
  return true;
}
