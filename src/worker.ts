/** Entry point of a lane's child process: opens the database and performs the studio's operations on it. */
import { kindOf } from './databases/index.ts';
import { StudioError } from './model/errors.ts';
import { serveHost } from './processes/child.ts';
import { DeferToOtherLane } from './studio/core/context.ts';
import { createContext } from './studio/core/create-context.ts';
import { performOperation } from './studio/execution/operations.ts';
import type { Context, Invocation } from './studio/core/context.ts';
import type {
  LaneCall,
  LaneMessage,
  LaneProgress,
  LaneStart,
} from './studio/execution/lane-message.ts';
import { performGroup } from './studio/execution/write-group.ts';
import { watchCommits } from './studio/core/commit-watch.ts';
import type { WriteOutcome } from './model/errors.ts';
import type { HandlerReply, RequestContext } from './processes/child.ts';
import type { Reply, ReplyMeta } from './studio/core/reply.ts';

let context: Context | undefined;
let isReadOnly = true;

serveHost({
  start: async (message) => {
    const { target, lane, access, models } = message as LaneStart;
    const kind = await kindOf(target.url);
    if (kind === undefined)
      throw new StudioError('internal', 'The worker received a URL of an unknown database.');
    context = createContext(await kind.open(target), access, models);
    isReadOnly = lane !== 'write';
  },
  handle: async (message, hostCall) => {
    if (context === undefined) throw new StudioError('internal', 'The worker was not started.');
    const call = message as LaneMessage;
    const invocation: Invocation = {
      boundedOnly: 'boundedOnly' in call && call.boundedOnly,
      isReadOnly,
      provisional: (reply, deadlineMs) => hostCall.provisional(reply, deadlineMs),
    };
    const laneContext = isReadOnly ? context : withReportedCommits(context, hostCall);
    const reply =
      'group' in call
        ? await performGroup(laneContext, call.group, invocation)
        : await perform(laneContext, call, invocation);
    return withCacheUses(context, reply);
  },
  end: () => void context?.database.close(),
});

/** The parent learns what has been written, in case it kills this process. */
function withReportedCommits(unobserved: Context, { progress }: RequestContext): Context {
  const report = (outcome: WriteOutcome): void => progress({ outcome } satisfies LaneProgress);
  return { ...unobserved, database: watchCommits(unobserved.database, report).database };
}

/** An operation that another lane repeats counts there. */
function withCacheUses({ cacheUses }: Context, reply: HandlerReply): HandlerReply {
  const meta = reply.meta as ReplyMeta;
  const taken = cacheUses.take();
  if (taken === undefined || meta.deferred !== undefined) return reply;
  return { ...reply, meta: { ...meta, cacheUses: taken } };
}

async function perform(
  laneContext: Context,
  call: LaneCall,
  invocation: Invocation,
): Promise<Reply> {
  const { database } = laneContext;
  try {
    return await performOperation(laneContext, call, invocation);
  } catch (error) {
    if (!(error instanceof DeferToOtherLane)) throw error;
    const token = call.boundedOnly ? await database.changeToken(database) : undefined;
    return { meta: { deferred: token === undefined ? {} : { token } }, body: '' };
  }
}
