/** Chance that comes out the same every time: mulberry32, seeded by a name. */
export interface Random {
  /** From `min` to `max`, both included. */
  int(min: number, max: number): number;
  pick<T>(items: readonly T[]): T;
  /** `count` different items, in the order given. */
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

/** The item at an index, counted round and round. */
export function itemAt<T>(items: readonly T[], index: number): T {
  if (items.length === 0) throw new RangeError('There is nothing to pick from.');
  return items[index % items.length] as T;
}

/** Selection sampling: every item has its chance, the order stays. */
function sample<T>(items: readonly T[], count: number, next: () => number): T[] {
  const chosen: T[] = [];
  items.forEach((item, i) => {
    if (next() * (items.length - i) < count - chosen.length) chosen.push(item);
  });
  return chosen;
}

/** FNV-1a. */
function hash(text: string): number {
  let state = 0x811c9dc5;
  for (const character of text)
    state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return state;
}
