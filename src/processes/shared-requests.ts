/**
 * Memory shared by a child's main thread and its watchdog thread: the request that started last, and
 * the canceled requests. It lets the watchdog respond to a cancellation while the main thread is
 * inside a native call, and guarantees that a request reported as removed never runs.
 */

/** Maximum number of requests in a child. With more, two requests could share a slot. */
export const MAX_IN_CHILD = 32;

const SLOTS = 2 * MAX_IN_CHILD;
const LAST_STARTED = SLOTS;

export type SharedRequests = Int32Array<SharedArrayBuffer>;

export function createSharedRequests(): SharedRequests {
  return new Int32Array(new SharedArrayBuffer((SLOTS + 1) * Int32Array.BYTES_PER_ELEMENT));
}

/** The main thread calls this before it runs a request. Returns false if the request was canceled. */
export function tryStart(requests: SharedRequests, sequence: number): boolean {
  Atomics.store(requests, LAST_STARTED, sequence);
  return Atomics.load(requests, sequence % SLOTS) !== (sequence | 0);
}

/**
 * The watchdog calls this. Returns false if the request has started or finished. Each side stores
 * before it loads, so at least one side notices a concurrent start and cancellation. If both do, the
 * request was reported as started but is skipped, and its `skipped` reply settles it.
 */
export function tryCancel(requests: SharedRequests, sequence: number): boolean {
  Atomics.store(requests, sequence % SLOTS, sequence);
  return ((sequence - Atomics.load(requests, LAST_STARTED)) | 0) > 0;
}
