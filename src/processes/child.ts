/** The child's side of a host: requests come in order, each is answered before the next begins. */
import { REQUESTS_FD } from './descriptors.ts';
import { describeThrown } from './errors.ts';
import { START, createFrameReader } from './frames.ts';
import { NO_BODY, errorReply, finalReply, skippedReply } from './replies.ts';
import type { MadeReply } from './replies.ts';
import { readSome } from './read-some.ts';
import { sendReply } from './send-reply.ts';
import { startWatchdog } from './start-watchdog.ts';
import type { Watchdog } from './start-watchdog.ts';
import { beginTurn } from './turns.ts';

export type { MadeReply };

/** What a handler may do while it works on one request. */
export interface Turn {
  /**
   * Leaves for the parent before it returns. If the final reply is not there within `deadlineMs`,
   * the parent takes this one and kills the child. A later one replaces an earlier one.
   */
  readonly provisional: (reply: MadeReply, deadlineMs: number) => void;
}

export interface HostHandlers {
  readonly start: (message: unknown) => Promise<void> | void;
  readonly handle: (message: unknown, turn: Turn) => Promise<MadeReply> | MadeReply;
  /** Before the child ends in order: not when it is killed. */
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

/** Makes this process a host: called once, by the module that `createHost` was given. */
export function serveHost(handlers: HostHandlers): void {
  void serveAll({ handlers, watchdog: startWatchdog() });
}

/**
 * Waits for requests in the read itself, which wakes sooner than the event loop does. That turns
 * where a handler waits for it, and nothing else in this process needs it.
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
  if (sequence !== START && !beginTurn(watchdog.turns, sequence)) {
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
): Promise<MadeReply | void> | MadeReply | void {
  const message: unknown = JSON.parse(payload.toString());
  if (sequence === START) return handlers.start(message);
  return handlers.handle(message, {
    provisional: ({ meta, body }, deadlineMs) =>
      sendReply(sequence, { kind: 'provisional', meta, body, deadlineMs }),
  });
}
