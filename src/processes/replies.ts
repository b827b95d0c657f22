/** Replies as they travel: `u32 kind, u32 bytes of meta, u32 deadline in ms, meta as JSON, body`. */
import { frameHeader } from './frames.ts';
import type { ThrownError } from './errors.ts';

/** What a request is answered with: a little JSON and any number of bytes. */
export interface Reply {
  readonly meta: unknown;
  readonly body: Uint8Array;
}

const replyKinds = ['final', 'provisional', 'error', 'skipped', 'progress'] as const;
export type ReplyKind = (typeof replyKinds)[number];

export interface SentReply extends Reply {
  readonly kind: ReplyKind;
  /** Only of a provisional reply: after this time it is as good as final. */
  readonly deadlineMs: number;
}

const FIELDS_BYTES = 12;
/** Below this, one copy is cheaper than a second write. */
const COPIED_BODY_BYTES = 64 * 1024;
const LONGEST_DEADLINE_MS = 2 ** 32 - 1;
export const NO_BODY = new Uint8Array(0);

/** The pieces to write one after the other. A meta of undefined costs no byte. */
export function encodeReply(sequence: number, reply: SentReply): readonly Uint8Array[] {
  const meta = reply.meta === undefined ? NO_BODY : Buffer.from(JSON.stringify(reply.meta));
  const fields = Buffer.allocUnsafe(FIELDS_BYTES);
  fields.writeUInt32LE(replyKinds.indexOf(reply.kind), 0);
  fields.writeUInt32LE(meta.length, 4);
  fields.writeUInt32LE(Math.min(Math.max(0, reply.deadlineMs), LONGEST_DEADLINE_MS), 8);
  const head = [
    frameHeader(sequence, FIELDS_BYTES + meta.length + reply.body.length),
    fields,
    meta,
  ];
  if (reply.body.length > COPIED_BODY_BYTES) return [Buffer.concat(head), reply.body];
  return [Buffer.concat([...head, reply.body])];
}

export function decodeReply(payload: Buffer): SentReply {
  const kind = replyKinds[payload.readUInt32LE(0)];
  if (!kind) throw new Error('A child process sent a reply of a kind that is not known.');
  const bodyStart = FIELDS_BYTES + payload.readUInt32LE(4);
  const meta = payload.toString('utf8', FIELDS_BYTES, bodyStart);
  return {
    kind,
    meta: meta === '' ? undefined : (JSON.parse(meta) as unknown),
    body: payload.subarray(bodyStart),
    deadlineMs: payload.readUInt32LE(8),
  };
}

export function finalReply({ meta, body }: Reply): SentReply {
  return { kind: 'final', meta, body, deadlineMs: 0 };
}

export function errorReply(thrown: ThrownError): SentReply {
  return { kind: 'error', meta: thrown, body: NO_BODY, deadlineMs: 0 };
}

export function skippedReply(): SentReply {
  return { kind: 'skipped', meta: undefined, body: NO_BODY, deadlineMs: 0 };
}

export function progressReply(meta: unknown): SentReply {
  return { kind: 'progress', meta, body: NO_BODY, deadlineMs: 0 };
}
