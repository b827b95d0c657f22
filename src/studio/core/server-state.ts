import { jsonReply } from './reply.ts';
import type { Context } from './context.ts';
import type { Reply } from './reply.ts';

/** Replies with the `ServerState`. */
export async function serverState({ database }: Context): Promise<Reply> {
  return jsonReply(JSON.stringify(await database.serverState()));
}
