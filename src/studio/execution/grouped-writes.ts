import { HostError } from '../../processes/errors.ts';
import { isTimeout, StudioError, writeOutcomeOf } from '../../model/errors.ts';
import { studioErrorOf } from './child-errors.ts';
import { unknownCommitError } from './write-group.ts';
import type { PerformOptions } from './executor.ts';
import type { LaneMessage } from './lane-message.ts';
import type { GroupOutcome, Reply } from '../core/reply.ts';
import type { GroupedWrite } from './write-group.ts';

type Send = (message: LaneMessage, options: PerformOptions) => Promise<Reply>;

/** A write that waits until the previous ones are done. */
interface QueuedWrite {
  readonly write: GroupedWrite;
  readonly options: PerformOptions;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (reason: unknown) => void;
}

const maxGroupSize = 32;

/**
 * Groups writes that arrive while another one is running into one transaction: the throughput of a
 * database file is limited by the sync to disk at every commit. A write that finds no other one
 * running starts immediately on its own.
 */
export function createGroupedWrites(
  send: Send,
): (write: GroupedWrite, options: PerformOptions) => Promise<Reply> {
  const waiting: QueuedWrite[] = [];
  let isBusy = false;

  const drain = async (): Promise<void> => {
    isBusy = true;
    for (let group = takeGroup(waiting); group.length > 0; group = takeGroup(waiting)) {
      if (group.length === 1) await sendOneByOne(send, group);
      else await sendTogether(send, group);
    }
    isBusy = false;
  };

  return (write, options) => {
    options.signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    const queued: QueuedWrite = { write, options, resolve, reject };
    // Once it has been sent, the transaction of the group decides what was written.
    const cancel = (): void => {
      if (waiting.includes(queued)) reject(options.signal?.reason);
    };
    options.signal?.addEventListener('abort', cancel, { once: true });
    waiting.push(queued);
    if (!isBusy) void drain();
    return promise.finally(() => options.signal?.removeEventListener('abort', cancel));
  };
}

/** Takes the next group from the queue, without writes whose clients have disconnected. */
function takeGroup(waiting: QueuedWrite[]): readonly QueuedWrite[] {
  const group: QueuedWrite[] = [];
  while (group.length < maxGroupSize) {
    const member = waiting.shift();
    if (member === undefined) break;
    if (member.options.signal?.aborted !== true) group.push(member);
  }
  return group;
}

async function sendOneByOne(send: Send, members: readonly QueuedWrite[]): Promise<void> {
  for (const { write, options, resolve, reject } of members) {
    await send({ ...write, boundedOnly: false }, options).then(resolve, reject);
  }
}

async function sendTogether(send: Send, members: readonly QueuedWrite[]): Promise<void> {
  const limits = members.map(({ options }) => options.limitMs ?? Infinity);
  const limitMs = Math.max(...limits);
  const group = members.map(({ write }) => write);
  try {
    settleMembers(members, await send({ group }, Number.isFinite(limitMs) ? { limitMs } : {}));
  } catch (error) {
    const outcome = error instanceof StudioError ? writeOutcomeOf(error) : undefined;
    // One write exceeded its time limit, and the others were rolled back with it.
    if (isTimeout(error) && outcome === 'nothing_written') await sendOneByOne(send, members);
    else {
      // Some of the writes may have been committed one by one.
      const reason = outcome === 'written' ? unknownCommitError() : error;
      for (const { reject } of members) reject(reason);
    }
  }
}

function settleMembers(members: readonly QueuedWrite[], { meta, body }: Reply): void {
  const { outcomes = [] } = meta;
  let start = 0;
  for (const [i, { resolve, reject }] of members.entries()) {
    const outcome: GroupOutcome | undefined = outcomes[i];
    if (outcome === undefined || 'error' in outcome) {
      reject(
        outcome === undefined ? unknownCommitError() : studioErrorOf(new HostError(outcome.error)),
      );
      continue;
    }
    resolve({
      meta: outcome.meta,
      body: (body as Uint8Array).subarray(start, start + outcome.bytes),
    });
    start += outcome.bytes;
  }
}
