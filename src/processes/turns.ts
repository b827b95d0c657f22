/**
 * Memory that a child's main thread shares with its watchdog thread: which request has begun and
 * which are cancelled. So the watchdog can answer a cancellation while the main thread is inside a
 * native call, and no request runs that was reported as never to run.
 */

/** More requests than these are never in a child at once, or two would share a slot. */
export const MOST_IN_CHILD = 32;

const SLOTS = 2 * MOST_IN_CHILD;
const BEGUN = SLOTS;

export type Turns = Int32Array<SharedArrayBuffer>;

export function createTurns(): Turns {
  return new Int32Array(new SharedArrayBuffer((SLOTS + 1) * Int32Array.BYTES_PER_ELEMENT));
}

/** By the main thread, before it runs a request: false when the request was cancelled. */
export function beginTurn(turns: Turns, sequence: number): boolean {
  Atomics.store(turns, BEGUN, sequence);
  return Atomics.load(turns, sequence % SLOTS) !== (sequence | 0);
}

/**
 * By the watchdog: false when the request has begun, or is done. Each side stores before it loads,
 * so of a begin and a cancellation at the same moment at least one is seen; when both are, the
 * request is skipped though it was reported as begun, and its skipped reply settles it.
 */
export function cancelTurn(turns: Turns, sequence: number): boolean {
  Atomics.store(turns, sequence % SLOTS, sequence);
  return ((sequence - Atomics.load(turns, BEGUN)) | 0) > 0;
}
