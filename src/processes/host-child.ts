/** One child process of a host, as its parent talks to it. */
import type { Socket } from 'node:net';

import { LIFE_LINE_FD, REPLIES_FD, REQUESTS_FD } from './descriptors.ts';
import type { Ending } from './errors.ts';
import { createFrameReader, frame } from './frames.ts';
import { decodeReply } from './replies.ts';
import type { SentReply } from './replies.ts';
import { spawnModule } from './spawn-module.ts';
import type { SpawnOptions } from './spawn-module.ts';

export interface ChildEvents {
  readonly onReply: (sequence: number, reply: SentReply) => void;
  /** Whether the request will never run; otherwise it has begun, or is done. */
  readonly onCancelAnswer: (sequence: number, isRemoved: boolean) => void;
  /** Once, after every reply that reached the pipe. */
  readonly onGone: (ending: Ending) => void;
}

export interface HostChild {
  /** What is sent in one turn of the event loop leaves in one write. */
  readonly send: (sequence: number, payload: Uint8Array) => void;
  readonly cancel: (sequence: number) => void;
  readonly kill: () => void;
  /** No more requests: the child ends when it has answered those it has. */
  readonly end: () => void;
}

const PIPES = 3;
const NOTHING = new Uint8Array(0);

export function startHostChild(options: SpawnOptions, events: ChildEvents): HostChild {
  const module = spawnModule(options, { pipes: PIPES, onGone: events.onGone });
  if (!module) return neverStarted;
  const requests = module.pipe(REQUESTS_FD);
  const lifeLine = module.pipe(LIFE_LINE_FD);
  readReplies(module.pipe(REPLIES_FD), events);
  readCancelAnswers(lifeLine, events);
  return {
    send: batchedSender(requests),
    cancel: (sequence) => void lifeLine.write(frame(sequence, NOTHING)),
    kill: module.kill,
    end: () => void requests.end(),
  };
}

/** Its ending is on the way. */
const neverStarted: HostChild = {
  send: () => undefined,
  cancel: () => undefined,
  kill: () => undefined,
  end: () => undefined,
};

function readReplies(socket: Socket, { onReply }: ChildEvents): void {
  const read = createFrameReader((sequence, payload) => onReply(sequence, decodeReply(payload)));
  socket.on('data', read);
}

function readCancelAnswers(socket: Socket, { onCancelAnswer }: ChildEvents): void {
  const read = createFrameReader((sequence, [removed]) => onCancelAnswer(sequence, removed === 1));
  socket.on('data', read);
}

function batchedSender(socket: Socket): HostChild['send'] {
  let batch: Buffer[] = [];
  const flush = (): void => {
    socket.write(Buffer.concat(batch));
    batch = [];
  };
  return (sequence, payload) => {
    if (batch.push(frame(sequence, payload)) === 1) queueMicrotask(flush);
  };
}
