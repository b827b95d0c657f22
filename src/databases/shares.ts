import type { ConnectionUse } from '../model/database.ts';

/** Counts the slots in use (connections, lanes, jobs), in total and for each use. */
export interface Shares {
  inUse(): number;
  inUseFor(use: ConnectionUse): number;
  /** Whether a slot is free and the use holds fewer slots than are free. */
  canAcquire(use?: ConnectionUse): boolean;
  acquire(use?: ConnectionUse): void;
  release(use?: ConnectionUse): void;
}

/**
 * A use acquires a slot only while it holds fewer slots than are free. Work that never ends then
 * leaves slots to others: the first use gets at most half of them, the next a quarter, and so on.
 * Work without a use is limited by `max` alone.
 */
export function createShares(max: number): Shares {
  const counts = new Map<string, number>();
  let total = 0;
  const inUseFor = (use: ConnectionUse): number => counts.get(keyOf(use)) ?? 0;
  const add = (difference: 1 | -1, use?: ConnectionUse): void => {
    total += difference;
    if (use === undefined) return;
    const count = inUseFor(use) + difference;
    if (count > 0) counts.set(keyOf(use), count);
    else counts.delete(keyOf(use));
  };
  return {
    inUse: () => total,
    inUseFor,
    canAcquire: (use) => total < max && (use === undefined || inUseFor(use) < max - total),
    acquire: (use) => add(1, use),
    release: (use) => add(-1, use),
  };
}

function keyOf({ kind, table = '' }: ConnectionUse): string {
  return `${kind} ${table}`;
}
