/** The child's side of a host: requests come in order, each is answered before the next begins. */
import { Socket } from 'node:net';

import { REQUESTS_FD } from './descriptors.ts';
import { describeThrown } from './errors.ts';
import { START, createFrameReader } from './frames.ts';
import { NO_BODY, errorReply, finalReply, skippedReply } from './replies.ts';
import type { Reply } from './replies.ts';
import { sendReply } from './send-reply.ts';
import { startWatchdog } from './start-watchdog.ts';
import { beginTurn } from './turns.ts';
import type { Turns } from './turns.ts';

export type { Reply };

/** What a handler may do while it works on one request. */
export interface Turn {
  /**
   * Leaves for the parent before it returns. If the final reply is not there within `deadlineMs`,
   * the parent takes this one and kills the child. A later one replaces an earlier one.
   */
  readonly provisional: (reply: Reply, deadlineMs: number) => void;
}

export interface HostHandlers {
  readonly start: (message: unknown) => Promise<void> | void;
  readonly handle: (message: unknown, turn: Turn) => Promise<Reply> | Reply;
  /** Before the child ends in order: not when it is killed. */
  readonly end?: () => Promise<void> | void;
}

interface Request {
  readonly sequence: number;
  readonly payload: Buffer;
}

interface Server {
  readonly handlers: HostHandlers;
  readonly turns: Turns;
  readonly requests: Request[];
  isBusy: boolean;
}

/** Makes this process a host: called once, by the module that `createHost` was given. */
export function serveHost(handlers: HostHandlers): void {
  const server: Server = { handlers, turns: startWatchdog(), requests: [], isBusy: false };
  const input = new Socket({ fd: REQUESTS_FD, readable: true, writable: false });
  const read = createFrameReader((sequence, payload) => {
    server.requests.push({ sequence, payload });
  });
  input.on('data', (chunk: Buffer) => {
    read(chunk);
    serveWaiting(server);
  });
  input.on('end', () => void leave(handlers));
}

async function leave({ end }: HostHandlers): Promise<never> {
  await end?.();
  process.exit();
}

/** Handlers that return no promise are answered without a trip through the event loop. */
function serveWaiting(server: Server): void {
  while (!server.isBusy) {
    const request = server.requests.shift();
    if (!request) return;
    const work = serve(server, request);
    if (work) {
      server.isBusy = true;
      void work.finally(() => {
        server.isBusy = false;
        serveWaiting(server);
      });
    }
  }
}

function serve(server: Server, { sequence, payload }: Request): Promise<void> | undefined {
  if (sequence !== START && !beginTurn(server.turns, sequence)) {
    sendReply(sequence, skippedReply());
    return undefined;
  }
  try {
    const reply = run(server.handlers, { sequence, payload });
    if (reply instanceof Promise) return answerLater(sequence, reply);
    answer(sequence, reply);
  } catch (error) {
    sendReply(sequence, errorReply(describeThrown(error)));
  }
  return undefined;
}

function run(
  handlers: HostHandlers,
  { sequence, payload }: Request,
): Promise<Reply | void> | Reply | void {
  const message: unknown = JSON.parse(payload.toString());
  if (sequence === START) return handlers.start(message);
  return handlers.handle(message, {
    provisional: ({ meta, body }, deadlineMs) =>
      sendReply(sequence, { kind: 'provisional', meta, body, deadlineMs }),
  });
}

async function answerLater(sequence: number, reply: Promise<Reply | void>): Promise<void> {
  try {
    answer(sequence, await reply);
  } catch (error) {
    sendReply(sequence, errorReply(describeThrown(error)));
  }
}

function answer(sequence: number, reply: Reply | void): void {
  sendReply(sequence, finalReply(reply ?? { meta: undefined, body: NO_BODY }));
}
