/** The wire format of replies: `u32 kind, u32 bytes of meta, u32 deadline in ms, meta as JSON, body`. */
import { FRAME_HEADER_BYTES, writeFrameHeader } from './frames.ts';
import type { ThrownError } from './errors.ts';

/** A small JSON value and a body of any size. */
export interface Reply {
  readonly meta: unknown;
  readonly body: Uint8Array;
}

/** A reply as a handler creates it. Text is encoded as UTF-8. */
export interface HandlerReply {
  readonly meta: unknown;
  readonly body: Uint8Array | string;
}

const replyKinds = ['final', 'provisional', 'error', 'skipped', 'progress'] as const;
export type ReplyKind = (typeof replyKinds)[number];

interface Delivery {
  readonly kind: ReplyKind;
  /** For provisional replies: the time after which the reply becomes final. */
  readonly deadlineMs: number;
}

export type SentReply = Reply & Delivery;
export type ReplyToSend = HandlerReply & Delivery;

const FIELDS_BYTES = 12;
const HEAD_BYTES = FRAME_HEADER_BYTES + FIELDS_BYTES;
const LONGEST_DEADLINE_MS = 2 ** 32 - 1;
export const NO_BODY = new Uint8Array(0);

/** Reused buffer for replies up to this size. */
const sharedBuffer = Buffer.allocUnsafeSlow(256 * 1024);
const MAX_BYTES_PER_CHARACTER = 3;

/** Returns buffers to write before the next call, which reuses their memory. An undefined meta takes no bytes. */
export function encodeReply(sequence: number, reply: ReplyToSend): readonly Uint8Array[] {
  const meta = reply.meta === undefined ? '' : JSON.stringify(reply.meta);
  const { body } = reply;
  const maxBytes = HEAD_BYTES + maxBytesOf(meta) + maxBytesOf(body);
  if (maxBytes <= sharedBuffer.length) return [encodeInto(sharedBuffer, { sequence, reply, meta })];
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const head = Buffer.allocUnsafe(HEAD_BYTES + maxBytesOf(meta));
  const metaEnd = HEAD_BYTES + head.write(meta, HEAD_BYTES);
  writeHead(head, { sequence, reply, metaBytes: metaEnd - HEAD_BYTES, bodyBytes: bytes.length });
  return [head.subarray(0, metaEnd), bytes];
}

function maxBytesOf(content: string | Uint8Array): number {
  return typeof content === 'string' ? content.length * MAX_BYTES_PER_CHARACTER : content.length;
}

interface Encoding {
  readonly sequence: number;
  readonly reply: ReplyToSend;
  readonly meta: string;
}

function encodeInto(target: Buffer, { sequence, reply, meta }: Encoding): Buffer {
  const { body } = reply;
  const metaBytes = target.write(meta, HEAD_BYTES);
  const bodyStart = HEAD_BYTES + metaBytes;
  if (typeof body !== 'string') target.set(body, bodyStart);
  const bodyBytes = typeof body === 'string' ? target.write(body, bodyStart) : body.length;
  writeHead(target, { sequence, reply, metaBytes, bodyBytes });
  return target.subarray(0, bodyStart + bodyBytes);
}

interface Head {
  readonly sequence: number;
  readonly reply: Delivery;
  readonly metaBytes: number;
  readonly bodyBytes: number;
}

function writeHead(target: Buffer, { sequence, reply, metaBytes, bodyBytes }: Head): void {
  const { kind, deadlineMs } = reply;
  writeFrameHeader(target, sequence, FIELDS_BYTES + metaBytes + bodyBytes);
  target.writeUInt32LE(replyKinds.indexOf(kind), FRAME_HEADER_BYTES);
  target.writeUInt32LE(metaBytes, FRAME_HEADER_BYTES + 4);
  const deadline = Math.min(Math.max(0, deadlineMs), LONGEST_DEADLINE_MS);
  target.writeUInt32LE(deadline, FRAME_HEADER_BYTES + 8);
}

export function decodeReply(payload: Buffer): SentReply {
  const kind = replyKinds[payload.readUInt32LE(0)];
  if (!kind) throw new Error('A child process sent a reply of an unknown kind.');
  const bodyStart = FIELDS_BYTES + payload.readUInt32LE(4);
  const meta = payload.toString('utf8', FIELDS_BYTES, bodyStart);
  return {
    kind,
    meta: meta === '' ? undefined : (JSON.parse(meta) as unknown),
    body: payload.subarray(bodyStart),
    deadlineMs: payload.readUInt32LE(8),
  };
}

export function finalReply({ meta, body }: HandlerReply): ReplyToSend {
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
