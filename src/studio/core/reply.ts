import type { ThrownError } from '../../processes/errors.ts';
import type { AddressTokens } from './address-token.ts';
import type { CacheUses } from './cache-uses.ts';

/** The result of an operation: JSON text or the bytes of a cell, and what becomes the response's headers. */
export interface Reply {
  readonly body: string | Uint8Array;
  readonly meta: ReplyMeta;
}

export interface ReplyMeta {
  /** Including its quotes. */
  readonly etag?: string;
  /** The new row. `id` is encoded for a path. */
  readonly location?: { readonly table: string; readonly id: string };
  /** application/json when absent. */
  readonly contentType?: string;
  /** For Content-Disposition. */
  readonly fileName?: string;
  /** What the file does not contain, one sentence each. */
  readonly warnings?: readonly string[];
  /** The cell is NULL: there is no content. */
  readonly isNull?: true;
  /** Set if the operation must run in another lane. Never reaches a client. */
  readonly deferred?: Deferral;
  /** A total that this lane counted, for lanes that may not count. */
  readonly counted?: CountedTotal;
  /** The tables whose structure or rows the response shows. Internal: never sent to a client. */
  readonly shown?: AddressTokens;
  /** Of the lane since its last reply. Internal: never sent to a client. */
  readonly cacheUses?: CacheUses;
  /** Of a group of writes, in their order. Internal: never sent to a client. */
  readonly outcomes?: readonly GroupOutcome[];
}

/** The outcome of one write of a group. `bytes` is the length of its part of the common body. */
export type GroupOutcome =
  | { readonly meta: ReplyMeta; readonly bytes: number }
  | { readonly error: ThrownError };

/** `token` is the lane's `changeToken` at the time when it deferred the operation. */
export interface Deferral {
  readonly token?: string;
}

export interface CountedTotal {
  readonly key: string;
  readonly total: number;
}

export function jsonReply(body: string, meta: ReplyMeta = {}): Reply {
  return { body, meta };
}
