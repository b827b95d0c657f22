import { render } from '../../sql/render.ts';
import { selectRows } from '../../sql/select.ts';
import { readError } from '../core/read-error.ts';
import { StudioError } from '../../model/errors.ts';
import type { Database, Session } from '../../model/database.ts';
import type { Table } from '../../model/schema.ts';
import type { SchemaCache } from '../core/schema-cache.ts';

/** Another client may change a table again and again. */
const maxAttempts = 5;

/** Repeats an export, which has sent nothing, while other clients change its tables. */
export async function untilUnchanged<T extends object>(
  schemas: SchemaCache,
  attemptExport: (attempt: number) => Promise<T | 'changed'>,
): Promise<T> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const sent = await attemptExport(attempt);
    if (sent !== 'changed') return sent;
    await schemas.refresh();
  }
  throw new StudioError(
    'database_busy',
    'Other sessions changed a table again and again while its export began.',
  );
}

/**
 * For tables and views that the database cannot hold. Runs the work in a `read` transaction whose snapshot
 * shows their current rows, if they still have these columns.
 */
export async function inCurrentSnapshot<T extends object>(
  database: Database,
  tables: readonly Table[],
  work: (session: Session) => Promise<T>,
): Promise<T | 'changed'> {
  return database.transaction('read', async (session) => {
    const { hasCurrentSnapshot } = database;
    if (hasCurrentSnapshot === undefined) return work(session);
    for (const table of tables) await lock(database, session, table);
    const isCurrent = (await hasCurrentSnapshot(session)) && (await areUnchanged(database, tables));
    return isCurrent ? work(session) : 'changed';
  });
}

/** In another session, whose snapshot is new. Reading the structure could wait for sessions that wait for the locks. */
async function areUnchanged(database: Database, tables: readonly Table[]): Promise<boolean> {
  return database.read(async (session) => {
    // A table that was created while the structure was read has none yet.
    for (const table of tables)
      if ((await database.revisionOf(session, table)) !== table.revision) return false;
    return true;
  });
}

/** Reading no rows locks the definition of a table until the transaction ends, and those of what a view reads. */
async function lock({ dialect }: Database, session: Session, table: Table): Promise<void> {
  const noRows = selectRows(dialect, { table, expressions: ['1'], where: [], order: [], limit: 0 });
  await session.run(render(dialect, noRows, [])).catch((error: unknown) => {
    throw readError(dialect, table, error);
  });
}
