import { jsonReply } from './reply.ts';
import type { Context } from './context.ts';
import type { Reply } from './reply.ts';

/** Replies with the reason why the database takes no writes now, or null. */
export async function readOnlyReason({ database }: Context): Promise<Reply> {
  return jsonReply(JSON.stringify((await database.readOnlyReason()) ?? null));
}
