import { jsonReply } from './reply.ts';
import type { Context } from './context.ts';
import type { Reply } from './reply.ts';

/** Asks the database for the least it can answer; what a crash left unfinished is undone by that. */
export async function ping(context: Context): Promise<Reply> {
  await context.database.structureVersion();
  await context.database.read((session) => session.run({ text: 'SELECT 1', params: [] }));
  return jsonReply('null');
}
