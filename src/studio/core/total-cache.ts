import type { CacheUseCounter } from './cache-uses.ts';

/** Caches totals until the next commit, for databases with a change token. Later pages need not count again. */
export interface TotalCache {
  get(key: string, token: string | undefined): number | undefined;
  set(key: string, token: string | undefined, total: number): void;
}

const capacity = 500;

export function createTotalCache(): TotalCache {
  let token: string | undefined;
  const totals = new Map<string, number>();

  const clearIfStaleOrFull = (current: string | undefined): void => {
    if (current === token && totals.size < capacity) return;
    totals.clear();
    token = current;
  };

  return {
    get(key, current) {
      return current !== undefined && current === token ? totals.get(key) : undefined;
    },
    set(key, current, total) {
      if (current === undefined) return;
      clearIfStaleOrFull(current);
      totals.set(key, total);
    },
  };
}

/** Totals that cannot be cached are not counted. */
export function countTotalUses(totals: TotalCache, uses: CacheUseCounter): TotalCache {
  return {
    set: totals.set,
    get(key, token) {
      const total = totals.get(key, token);
      if (token !== undefined) uses.record('totals', total !== undefined);
      return total;
    },
  };
}
