/** Texts from templates: `{a|b|}` is one of its alternatives, which may be empty and may nest. */

/** A number from 0 to `below - 1`. */
export type Pick = (below: number) => number;

/** The same numbers for the same seed (mulberry32). */
export function picksOf(seed: number): Pick {
  let state = seed | 0;
  return (below) => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

export function pickOne<T>(pick: Pick, list: readonly T[]): T {
  return list[pick(list.length)]!;
}

function expand(template: string, pick: Pick): string {
  let text = template;
  for (;;) {
    const expanded = text.replaceAll(/\{([^{}]*)\}/g, (_, inner: string) =>
      pickOne(pick, inner.split('|')),
    );
    if (expanded === text) return text.replaceAll(/ +/g, ' ').trim();
    text = expanded;
  }
}

/** The DDL of a dialect, as templates. */
export interface Templates {
  readonly dialect: string;
  readonly separator: string;
  /** Statements that every script begins with. */
  readonly base: readonly string[];
  /** A random template of CREATE TABLE. */
  readonly made: (pick: Pick) => string;
  /** Templates of statements that may follow it. */
  readonly others: readonly string[];
}

/** A random script: CREATE TABLE, and half of the time one more statement. The base is not in it. */
export function scriptOf({ made, others, separator }: Templates, pick: Pick): string {
  const statements = [expand(made(pick), pick)];
  if (pick(2) === 0) statements.push(expand(pickOne(pick, others), pick));
  return statements.map((each) => `${each}${separator}`).join('');
}

export function baseOf({ base, separator }: Templates): string {
  return base.map((each) => `${each}${separator}`).join('');
}
