import { endedRequestError } from './unknown-outcome.ts';

/** How a request has ended: `take` returns its result or throws its error. */
export interface EndedRequest<T> {
  readonly fingerprint: string;
  readonly startedAt: number;
  readonly take: () => T;
  /** The memory of the result or error. */
  readonly bytes: number;
}

export interface RequestMemory {
  readonly maxBytes: number;
  /** For which a request is remembered after its end. */
  readonly retentionMs: number;
  readonly now: () => number;
}

/** Of a request without its result: its key, its fingerprint and their places in maps. */
const bytesOfRequest = 500;

/**
 * Remembers ended requests for the whole retention: one that was forgotten would be carried out again. Where the
 * memory does not suffice, the oldest results go, and then new requests have no room.
 */
export function createEndedRequests<T>({ maxBytes, retentionMs, now }: RequestMemory) {
  const requests = new Map<string, EndedRequest<T> & { readonly endedAt: number }>();
  /** The keys of those whose results are kept, the oldest first. */
  const withResult = new Set<string>();
  let bytes = 0;
  /** Requests that began until then are no longer known, also those before the studio started. */
  let removedUntil = now();

  const dropResult = (key: string): void => {
    const request = requests.get(key);
    withResult.delete(key);
    if (request === undefined) return;
    bytes -= request.bytes;
    const take = (): never => {
      throw endedRequestError();
    };
    // The position in the map stays.
    requests.set(key, { ...request, bytes: 0, take });
  };
  const fits = (running: number): boolean => bytes + running * bytesOfRequest <= maxBytes;
  const makeRoom = (running: number): boolean => {
    for (const key of withResult) {
      if (fits(running)) return true;
      dropResult(key);
    }
    return fits(running);
  };

  return {
    get: (key: string): EndedRequest<T> | undefined => requests.get(key),
    removedUntil: () => removedUntil,
    /** Whether one more request can be remembered besides those that are running. */
    hasRoom: (running: number): boolean => makeRoom(running + 1),
    add(key: string, request: EndedRequest<T>, running: number): void {
      requests.set(key, { ...request, endedAt: now() });
      withResult.add(key);
      bytes += bytesOfRequest + request.bytes;
      makeRoom(running);
    },
    removeExpired(): void {
      for (const [key, request] of requests) {
        if (now() - request.endedAt < retentionMs) return;
        requests.delete(key);
        withResult.delete(key);
        bytes -= bytesOfRequest + request.bytes;
        removedUntil = Math.max(removedUntil, request.startedAt);
      }
    },
  };
}
