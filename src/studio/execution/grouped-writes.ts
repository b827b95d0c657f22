import { HostError } from '../../processes/errors.ts';
import { StudioError } from '../../model/errors.ts';
import { fromChild } from './child-errors.ts';
import { unknownCommit } from './write-group.ts';
import type { PerformOptions } from './executor.ts';
import type { LaneMessage } from './lane-message.ts';
import type { Reply } from '../core/reply.ts';
import type { GroupMeta, GroupOutcome, GroupedWrite } from './write-group.ts';

type Send = (message: LaneMessage, options: PerformOptions) => Promise<Reply>;

/** A write that waits for the one before it. */
interface Member {
  readonly write: GroupedWrite;
  readonly options: PerformOptions;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (reason: unknown) => void;
}

const mostInGroup = 32;

/**
 * Writes that arrive while one is being written share the next transaction: what bounds a file's
 * writes is the disk, which is waited for at every commit. A write that finds nobody before it
 * goes alone, and waits for nobody.
 */
export function createGroupedWrites(
  send: Send,
): (write: GroupedWrite, options: PerformOptions) => Promise<Reply> {
  const waiting: Member[] = [];
  let isBusy = false;

  const drain = async (): Promise<void> => {
    isBusy = true;
    for (let group = take(waiting); group.length > 0; group = take(waiting)) {
      if (group.length === 1) await alone(send, group);
      else await together(send, group);
    }
    isBusy = false;
  };

  return (write, options) => {
    options.signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    const leave = (): void => reject(options.signal?.reason);
    options.signal?.addEventListener('abort', leave, { once: true });
    waiting.push({ write, options, resolve, reject });
    if (!isBusy) void drain();
    return promise.finally(() => options.signal?.removeEventListener('abort', leave));
  };
}

/** Those whose clients have gone meanwhile are not written. */
function take(waiting: Member[]): readonly Member[] {
  const group: Member[] = [];
  while (group.length < mostInGroup) {
    const member = waiting.shift();
    if (member === undefined) break;
    if (member.options.signal?.aborted !== true) group.push(member);
  }
  return group;
}

async function alone(send: Send, members: readonly Member[]): Promise<void> {
  for (const { write, options, resolve, reject } of members) {
    await send({ ...write, boundedOnly: false }, options).then(resolve, reject);
  }
}

async function together(send: Send, members: readonly Member[]): Promise<void> {
  const limits = members.map(({ options }) => options.limitMs ?? Infinity);
  const limitMs = Math.max(...limits);
  const group = members.map(({ write }) => write);
  try {
    settle(members, await send({ group }, Number.isFinite(limitMs) ? { limitMs } : {}));
  } catch (error) {
    // One of them took too long; the rest were rolled back with it.
    if (error instanceof StudioError && error.code === 'statement_timeout')
      await alone(send, members);
    else for (const { reject } of members) reject(error);
  }
}

function settle(members: readonly Member[], { meta, body }: Reply): void {
  const { outcomes } = meta as GroupMeta;
  if (outcomes === undefined) {
    for (const { reject } of members) reject(unknownCommit());
    return;
  }
  let start = 0;
  for (const [i, { resolve, reject }] of members.entries()) {
    const outcome: GroupOutcome | undefined = outcomes[i];
    if (outcome === undefined || 'error' in outcome) {
      reject(outcome === undefined ? unknownCommit() : fromChild(new HostError(outcome.error)));
      continue;
    }
    resolve({
      meta: outcome.meta,
      body: (body as Uint8Array).subarray(start, start + outcome.bytes),
    });
    start += outcome.bytes;
  }
}
