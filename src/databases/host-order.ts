/** Why a host was not used. */
export type HostFailure = 'role' | 'no response';

/** The order in which connections try the hosts of a URL. */
export interface HostOrder<H> {
  next(): readonly H[];
  /** Tries the host after the others for a while, so that a dead one delays few connections. */
  failed(host: H, failure?: HostFailure): void;
}

const avoidMs = 30_000;

/** A server of another role says so at once, one that does not respond takes a time limit to find out. */
const ranks: Readonly<Record<HostFailure, number>> = { role: 1, 'no response': 2 };

export function createHostOrder<H>(
  hosts: readonly H[],
  isRandom: boolean,
  now: () => number = Date.now,
): HostOrder<H> {
  const failures = new Map<H, { readonly at: number; readonly rank: number }>();
  const rankOf = (host: H): number => {
    const { at, rank } = failures.get(host) ?? { at: -Infinity, rank: 0 };
    return now() - at < avoidMs ? rank : 0;
  };
  return {
    next: () => (isRandom ? shuffled(hosts) : hosts).toSorted((a, b) => rankOf(a) - rankOf(b)),
    failed: (host, failure = 'no response') =>
      void failures.set(host, { at: now(), rank: ranks[failure] }),
  };
}

function shuffled<T>(items: readonly T[]): readonly T[] {
  return items
    .map((item) => ({ item, rank: Math.random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
