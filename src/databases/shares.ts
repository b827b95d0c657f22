import type { ConnectionUse } from '../model/database.ts';

/** Who holds how many of some places. */
export interface Shares {
  taken(): number;
  /** Whether a place is free, and users of this kind hold fewer than are. */
  mayTake(use?: ConnectionUse): boolean;
  take(use?: ConnectionUse): void;
  free(use?: ConnectionUse): void;
  /** How many places are held for the use; 0 for none. */
  heldFor(use?: ConnectionUse): number;
}

/**
 * Users of one kind take a place only while they hold fewer than are free, so that what never ends
 * leaves places for others: half of them, then a quarter, and so on.
 */
export function createShares(most: number): Shares {
  const held = new Map<string, number>();
  let taken = 0;
  const heldFor = (use?: ConnectionUse): number =>
    use === undefined ? 0 : (held.get(keyOf(use)) ?? 0);
  return {
    taken: () => taken,
    heldFor,
    mayTake: (use) => taken < most && (use === undefined || heldFor(use) < most - taken),
    take(use) {
      taken++;
      if (use !== undefined) held.set(keyOf(use), heldFor(use) + 1);
    },
    free(use) {
      taken--;
      if (use === undefined) return;
      const left = heldFor(use) - 1;
      if (left > 0) held.set(keyOf(use), left);
      else held.delete(keyOf(use));
    },
  };
}

function keyOf({ kind, table = '' }: ConnectionUse): string {
  return `${kind} ${table}`;
}
