/** A reproducible random number generator (mulberry32), seeded by a name. */
export interface Random {
  /** Returns an integer from `min` to `max`, inclusive. */
  int(min: number, max: number): number;
  pick<T>(items: readonly T[]): T;
  /** Returns `count` different items in their original order. */
  sample<T>(items: readonly T[], count: number): T[];
  chance(probability: number): boolean;
}

export function createRandom(name: string): Random {
  let state = hash(name);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), state | 1);
    const twice = mixed ^ (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61));
    return ((twice ^ (twice >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    int,
    pick: (items) => itemAt(items, int(0, items.length - 1)),
    sample: (items, count) => sample(items, count, next),
    chance: (probability) => next() < probability,
  };
}

/** Returns the item at an index modulo the length. */
export function itemAt<T>(items: readonly T[], index: number): T {
  if (items.length === 0) throw new RangeError('There is nothing to pick from.');
  return items[index % items.length] as T;
}

/** Selection sampling: all items have the same probability, and the order is preserved. */
function sample<T>(items: readonly T[], count: number, next: () => number): T[] {
  const selected: T[] = [];
  items.forEach((item, i) => {
    if (next() * (items.length - i) < count - selected.length) selected.push(item);
  });
  return selected;
}

/** FNV-1a. */
function hash(text: string): number {
  let state = 0x811c9dc5;
  for (const character of text)
    state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return state;
}
