/**
 * Random scripts from templates. `{a|b|}` in a template becomes one of its alternatives, which may be
 * empty and may nest.
 */

/** Returns a random integer from 0 to `below - 1`. */
export type RandomBelow = (below: number) => number;

/** A generator (mulberry32) that returns the same numbers for the same seed. */
export function seededRandom(seed: number): RandomBelow {
  let state = seed | 0;
  return (below) => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

export function pickOne<T>(randomBelow: RandomBelow, list: readonly T[]): T {
  return list[randomBelow(list.length)]!;
}

function expand(template: string, randomBelow: RandomBelow): string {
  let text = template;
  for (;;) {
    const expanded = text.replaceAll(/\{([^{}]*)\}/g, (_, inner: string) =>
      pickOne(randomBelow, inner.split('|')),
    );
    if (expanded === text) return text.replaceAll(/ +/g, ' ').trim();
    text = expanded;
  }
}

/** The DDL of a dialect, as templates. */
export interface DdlTemplates {
  readonly dialect: string;
  readonly separator: string;
  /** Statements that every script begins with. */
  readonly base: readonly string[];
  /** A random template of CREATE TABLE. */
  readonly createTable: (randomBelow: RandomBelow) => string;
  /** Templates of statements that may follow it. */
  readonly others: readonly string[];
}

/** A random script: CREATE TABLE, and half of the time one more statement. The base is not in it. */
export function randomScript(
  { createTable, others, separator }: DdlTemplates,
  randomBelow: RandomBelow,
): string {
  const statements = [expand(createTable(randomBelow), randomBelow)];
  if (randomBelow(2) === 0) statements.push(expand(pickOne(randomBelow, others), randomBelow));
  return statements.map((each) => `${each}${separator}`).join('');
}

export function baseScript({ base, separator }: DdlTemplates): string {
  return base.map((each) => `${each}${separator}`).join('');
}
