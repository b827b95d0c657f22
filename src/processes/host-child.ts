/** The parent's side of one child process of a host. */
import type { Socket } from 'node:net';

import { CONTROL_FD, REPLIES_FD, REQUESTS_FD } from './descriptors.ts';
import type { ChildExit } from './errors.ts';
import { createFrameReader, frame } from './frames.ts';
import { decodeReply } from './replies.ts';
import type { SentReply } from './replies.ts';
import { spawnModule } from './spawn-module.ts';
import type { SpawnOptions } from './spawn-module.ts';

export interface ChildEvents {
  readonly onReply: (sequence: number, reply: SentReply) => void;
  /** `isRemoved`: the request will not run. If not, it has started or finished. */
  readonly onCancelResponse: (sequence: number, isRemoved: boolean) => void;
  /** Called once, after all replies in the pipe have been read. */
  readonly onExit: (exit: ChildExit) => void;
}

export interface HostChild {
  /** Batches all requests of one event loop iteration into one write. */
  readonly send: (sequence: number, payload: Uint8Array) => void;
  readonly cancel: (sequence: number) => void;
  readonly kill: () => void;
  /** Whether the process no longer exists. */
  readonly hasExited: () => boolean;
  /** Closes the request pipe. The child exits after it has answered the pending requests. */
  readonly end: () => void;
}

const PIPES = 3;
const NOTHING = new Uint8Array(0);

export function startHostChild(options: SpawnOptions, events: ChildEvents): HostChild {
  const module = spawnModule(options, { pipes: PIPES, onExit: events.onExit });
  if (!module) return failedChild;
  const requests = module.pipe(REQUESTS_FD);
  const controlPipe = module.pipe(CONTROL_FD);
  readReplies(module.pipe(REPLIES_FD), events);
  readCancelResponses(controlPipe, events);
  return {
    send: batchedSender(requests),
    cancel: (sequence) => void controlPipe.write(frame(sequence, NOTHING)),
    kill: module.kill,
    hasExited: module.hasExited,
    end: () => void requests.end(),
  };
}

/** Used if the spawn failed; `onExit` reports the error. */
const failedChild: HostChild = {
  send: () => undefined,
  cancel: () => undefined,
  kill: () => undefined,
  hasExited: () => true,
  end: () => undefined,
};

function readReplies(socket: Socket, { onReply }: ChildEvents): void {
  const read = createFrameReader((sequence, payload) => onReply(sequence, decodeReply(payload)));
  socket.on('data', read);
}

function readCancelResponses(socket: Socket, { onCancelResponse }: ChildEvents): void {
  const read = createFrameReader((sequence, [removed]) =>
    onCancelResponse(sequence, removed === 1),
  );
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
