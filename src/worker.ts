/** What runs in a lane's child process: a database opened here, and the studio's operations on it. */
import { kindOf } from './databases/index.ts';
import { StudioError } from './model/errors.ts';
import { serveHost } from './processes/child.ts';
import { Deferred } from './studio/context.ts';
import { createContext } from './studio/local-executor.ts';
import { performOperation } from './studio/operations.ts';
import type { Reply as HostReply } from './processes/host.ts';
import type { Context, Turn } from './studio/context.ts';
import type { LaneCall, LaneStart } from './studio/lanes.ts';
import type { Reply } from './studio/reply.ts';

let context: Context | undefined;
let readsOnly = true;

serveHost({
  start: async (message) => {
    const { target, lane, access } = message as LaneStart;
    const kind = kindOf(target.url);
    if (kind === undefined)
      throw new StudioError('internal', 'The worker was given a URL of no known database.');
    context = createContext(await kind.open(target), access);
    readsOnly = lane !== 'write';
  },
  handle: async (message, turn) => {
    const call = message as LaneCall;
    if (context === undefined) throw new StudioError('internal', 'The worker was not started.');
    return perform(context, call, {
      boundedOnly: call.boundedOnly,
      readsOnly,
      provisional: (reply, deadlineMs) => turn.provisional(toHostReply(reply), deadlineMs),
    });
  },
  end: () => void context?.database.close(),
});

async function perform(known: Context, call: LaneCall, turn: Turn): Promise<HostReply> {
  const token = call.boundedOnly ? await known.database.changeToken() : undefined;
  try {
    return toHostReply(await performOperation(known, call, turn));
  } catch (error) {
    if (!(error instanceof Deferred)) throw error;
    return { meta: { deferred: token === undefined ? {} : { token } }, body: new Uint8Array() };
  }
}

function toHostReply({ body, meta }: Reply): HostReply {
  return { meta, body: typeof body === 'string' ? Buffer.from(body) : body };
}
