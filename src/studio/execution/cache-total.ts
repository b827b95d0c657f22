import { jsonReply } from '../core/reply.ts';
import type { Context } from '../core/context.ts';
import type { CountedTotal, Reply } from '../core/reply.ts';

export interface CacheTotalInput extends CountedTotal {
  /** This lane's change token before the other lane counted. The total is valid if the token is still the same. */
  readonly token: string;
}

/** Caches a total that another lane counted. */
export async function cacheTotal(context: Context, input: CacheTotalInput): Promise<Reply> {
  const token = await context.database.changeToken(context.database);
  if (token === input.token) context.totals.set(input.key, token, input.total);
  return jsonReply('null');
}
