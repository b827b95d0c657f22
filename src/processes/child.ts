/** The child's side of a host. It handles requests one at a time, in order of arrival. */
import { REQUESTS_FD } from './descriptors.ts';
import { describeThrown } from './errors.ts';
import { START, createFrameReader } from './frames.ts';
import { NO_BODY, errorReply, finalReply, progressReply, skippedReply } from './replies.ts';
import type { HandlerReply } from './replies.ts';
import { readSome } from './read-some.ts';
import { sendReply } from './send-reply.ts';
import { startWatchdog } from './start-watchdog.ts';
import type { Watchdog } from './start-watchdog.ts';
import { tryStart } from './shared-requests.ts';

export type { HandlerReply };

/** Lets a handler reply before it returns. */
export interface RequestContext {
  /**
   * Sends a provisional reply to the parent. If the final reply does not arrive within `deadlineMs`,
   * the parent resolves the call with this one and kills the child. A later one replaces an earlier one.
   */
  readonly provisional: (reply: HandlerReply, deadlineMs: number) => void;
  /** Reports something to the parent, which learns of it even if this process is killed next. */
  readonly progress: (message: unknown) => void;
}

export interface HostHandlers {
  readonly start: (message: unknown) => Promise<void> | void;
  readonly handle: (
    message: unknown,
    context: RequestContext,
  ) => Promise<HandlerReply> | HandlerReply;
  /** Called before a regular exit, but not if the child is killed. */
  readonly end?: () => Promise<void> | void;
}

interface Request {
  readonly sequence: number;
  readonly payload: Buffer;
}

interface Server {
  readonly handlers: HostHandlers;
  readonly watchdog: Watchdog;
}

/** Makes this process a host. The `entry` module of `createHost` calls it once. */
export function serveHost(handlers: HostHandlers): void {
  void serveAll({ handlers, watchdog: startWatchdog() });
}

/**
 * Reads requests with blocking calls, which wake up faster than the event loop. The event loop runs
 * only while a handler awaits something; nothing else in this process needs it.
 */
async function serveAll(server: Server): Promise<void> {
  const requests: Request[] = [];
  const read = createFrameReader((sequence, payload) => {
    requests.push({ sequence, payload });
  });
  for (let chunk = readSome(REQUESTS_FD); chunk.length > 0; chunk = readSome(REQUESTS_FD)) {
    read(chunk);
    for (const request of requests.splice(0)) await serve(server, request);
  }
  await server.handlers.end?.();
  process.exit();
}

async function serve(
  { handlers, watchdog }: Server,
  { sequence, payload }: Request,
): Promise<void> {
  if (sequence !== START && !tryStart(watchdog.requests, sequence)) {
    sendReply(sequence, skippedReply());
    return;
  }
  try {
    const reply = await run(handlers, { sequence, payload });
    if (sequence === START) await watchdog.started;
    sendReply(sequence, finalReply(reply ?? { meta: undefined, body: NO_BODY }));
  } catch (error) {
    sendReply(sequence, errorReply(describeThrown(error)));
  }
}

function run(
  handlers: HostHandlers,
  { sequence, payload }: Request,
): Promise<HandlerReply | void> | HandlerReply | void {
  const message: unknown = JSON.parse(payload.toString());
  if (sequence === START) return handlers.start(message);
  return handlers.handle(message, {
    provisional: ({ meta, body }, deadlineMs) =>
      sendReply(sequence, { kind: 'provisional', meta, body, deadlineMs }),
    progress: (report) => sendReply(sequence, progressReply(report)),
  });
}
