import { jsonReply } from './reply.ts';
import type { Context } from './context.ts';
import type { Reply } from './reply.ts';

/** Asks the database for the least it can answer. */
export async function ping(context: Context): Promise<Reply> {
  await context.database.run({ text: 'SELECT 1', params: [] });
  return jsonReply('null');
}
