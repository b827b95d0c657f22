import { StudioError } from '../../model/errors.ts';
import { jsonReply } from './reply.ts';
import type { Context } from './context.ts';
import type { Reply } from './reply.ts';

/** A table that is locked longer than this says nothing about the server. */
const tableLimitMs = 1000;

/**
 * Checks whether the database serves requests, by the cheapest statements that show it. On SQLite this
 * also rolls back what a crashed process left.
 */
export async function ping(context: Context): Promise<Reply> {
  const { unavailableReason } = await context.database.serverState();
  if (unavailableReason !== undefined)
    throw new StudioError('database_unavailable', unavailableReason);
  await context.database.structureVersion();
  await context.database.read((session) => session.run({ text: 'SELECT 1', params: [] }));
  await readTable(context).catch((error: unknown) => {
    // A table can be locked, broken or forbidden while the database serves others.
    const translated = context.database.dialect.translateError(error);
    if (translated?.code === 'database_unavailable') throw error;
  });
  return jsonReply('null');
}

/** A node of a cluster without quorum still answers statements without tables (Galera, error 1047). */
async function readTable({ database, schemas }: Context): Promise<void> {
  const { schema } = await schemas.current();
  const [table] = schema.tables;
  if (table === undefined) return;
  const text = `SELECT 1 FROM ${database.dialect.tableName(table)} WHERE 1 = 0`;
  await database.read((session) => session.run({ text, params: [] }, { limitMs: tableLimitMs }));
}
