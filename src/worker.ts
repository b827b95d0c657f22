/** What runs in a lane's child process: a database opened here, and the studio's operations on it. */
import { kindOf } from './databases/index.ts';
import { StudioError } from './model/errors.ts';
import { serveHost } from './processes/child.ts';
import { Deferred } from './studio/core/context.ts';
import { createContext } from './studio/core/create-context.ts';
import { performOperation } from './studio/execution/operations.ts';
import type { Context, Turn } from './studio/core/context.ts';
import type { LaneCall, LaneMessage, LaneStart } from './studio/execution/lane-message.ts';
import { performGroup } from './studio/execution/write-group.ts';
import type { Reply } from './studio/core/reply.ts';

let context: Context | undefined;
let readsOnly = true;

serveHost({
  start: async (message) => {
    const { target, lane, access, models } = message as LaneStart;
    const kind = await kindOf(target.url);
    if (kind === undefined)
      throw new StudioError('internal', 'The worker was given a URL of no known database.');
    context = createContext(await kind.open(target), access, models);
    readsOnly = lane !== 'write';
  },
  handle: async (message, turn) => {
    if (context === undefined) throw new StudioError('internal', 'The worker was not started.');
    const call = message as LaneMessage;
    const laneTurn: Turn = {
      boundedOnly: 'boundedOnly' in call && call.boundedOnly,
      readsOnly,
      provisional: (reply, deadlineMs) => turn.provisional(reply, deadlineMs),
    };
    return 'group' in call
      ? performGroup(context, call.group, laneTurn)
      : perform(context, call, laneTurn);
  },
  end: () => void context?.database.close(),
});

async function perform(known: Context, call: LaneCall, turn: Turn): Promise<Reply> {
  try {
    return await performOperation(known, call, turn);
  } catch (error) {
    if (!(error instanceof Deferred)) throw error;
    const token = call.boundedOnly ? await known.database.changeToken(known.database) : undefined;
    return { meta: { deferred: token === undefined ? {} : { token } }, body: '' };
  }
}
