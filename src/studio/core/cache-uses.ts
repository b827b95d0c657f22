/** How often each cache of a studio had what was asked for. */
export interface CacheUse {
  readonly hits: number;
  readonly misses: number;
}

/** `structure`: tables and columns. `totals`: exact numbers of rows. `diagrams`: exported diagrams. */
export const cacheNames = ['structure', 'totals', 'diagrams'] as const;
export type CacheName = (typeof cacheNames)[number];
export type CacheUses = Readonly<Record<CacheName, CacheUse>>;

export interface CacheUseCounter {
  record(name: CacheName, isHit: boolean): void;
  add(uses: CacheUses): void;
  counted(): CacheUses;
  /** What was counted since the last call, for another process to add. Undefined if nothing was. */
  take(): CacheUses | undefined;
}

const noUse: CacheUse = { hits: 0, misses: 0 };
export const noCacheUses: CacheUses = { structure: noUse, totals: noUse, diagrams: noUse };

export function sumOfCacheUses(a: CacheUses, b: CacheUses): CacheUses {
  const sum = (name: CacheName): CacheUse => ({
    hits: a[name].hits + b[name].hits,
    misses: a[name].misses + b[name].misses,
  });
  return { structure: sum('structure'), totals: sum('totals'), diagrams: sum('diagrams') };
}

export function createCacheUseCounter(): CacheUseCounter {
  let counted = noCacheUses;
  const add = (uses: CacheUses): void => void (counted = sumOfCacheUses(counted, uses));
  return {
    add,
    record: (name, isHit) =>
      add({ ...noCacheUses, [name]: isHit ? { hits: 1, misses: 0 } : { hits: 0, misses: 1 } }),
    counted: () => counted,
    take: () => {
      if (counted === noCacheUses) return undefined;
      const taken = counted;
      counted = noCacheUses;
      return taken;
    },
  };
}
