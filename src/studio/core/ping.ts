import { jsonReply } from './reply.ts';
import type { Context } from './context.ts';
import type { Reply } from './reply.ts';

/** Runs the cheapest possible statement. On SQLite this also rolls back what a crashed process left. */
export async function ping(context: Context): Promise<Reply> {
  await context.database.structureVersion();
  await context.database.read((session) => session.run({ text: 'SELECT 1', params: [] }));
  return jsonReply('null');
}
