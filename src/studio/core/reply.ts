import type { AddressTokens } from './address-token.ts';

/** What an operation answers: ready JSON text (or a cell's bytes), and what the HTTP edge makes headers of. */
export interface Reply {
  readonly body: string | Uint8Array;
  readonly meta: ReplyMeta;
}

export interface ReplyMeta {
  /** With its quotes. */
  readonly etag?: string;
  /** The row that was made; `id` is ready for a path. */
  readonly location?: { readonly table: string; readonly id: string };
  /** application/json when absent. */
  readonly contentType?: string;
  /** For Content-Disposition. */
  readonly fileName?: string;
  /** What the file could not hold, a sentence each. */
  readonly warnings?: readonly string[];
  /** The cell holds NULL: there is no content. */
  readonly isNull?: true;
  /** Work that belongs in another lane; never reaches a client. */
  readonly deferred?: Deferral;
  /** A total that was counted, for the lanes that could not count it themselves. */
  readonly counted?: CountedTotal;
  /** The tables whose structure or rows the response shows. Internal: never sent to a client. */
  readonly shown?: AddressTokens;
}

/** The lane's `changeToken` when it passed the work on. */
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
