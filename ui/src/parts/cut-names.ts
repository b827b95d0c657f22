/** Cuts names of a list in the middle, so that those with a common beginning stay different. */

export interface CutParts {
  /** The beginning, which is cut at its end where there is too little space. */
  readonly start: string;
  /** What follows it and is never cut. Empty for a short name. */
  readonly uncut: string;
  /** The end, which is cut like the beginning, if names differ before it. */
  readonly rest: string;
}

/** In characters. Shorter names are not cut in the middle: they fit. */
const shortLength = 16;

/** In characters: what is visible of the beginning in any case, and the least and the most that is uncut. */
const visibleStart = 5;
const leastUncut = 8;
const mostUncut = 14;

/** The parts of each name. Of names that differ only far from their ends, the part is uncut in which they differ. */
export function cutNames(names: readonly string[]): ReadonlyMap<string, CutParts> {
  const distinct = [...new Set(names)];
  const ends = distinctEnds(distinct.filter((name) => name.length > shortLength));
  const used = new Set<string>();
  return new Map(
    distinct.map((name) => {
      const end = ends.get(name);
      if (end === undefined || end > name.length - visibleStart) return [name, whole(name)];
      const split = name.length - end;
      const stop = end > mostUncut ? split + mostUncut : name.length;
      const uncut = unused(name.slice(split, stop), name.slice(0, visibleStart), used);
      return [name, { start: name.slice(0, split), uncut, rest: name.slice(stop) }];
    }),
  );
}

function whole(name: string): CutParts {
  return { start: name, uncut: '', rest: '' };
}

/** For each name the number of last characters that distinguish it from those that begin alike. */
function distinctEnds(names: readonly string[]): ReadonlyMap<string, number> {
  const ends = new Map(names.map((name) => [name, leastUncut]));
  for (let ambiguous = names; ambiguous.length > 0;) {
    const byText = Map.groupBy(ambiguous, (name) =>
      JSON.stringify([name.slice(0, visibleStart), name.slice(-(ends.get(name) ?? 0))]),
    );
    ambiguous = [...byText.values()].flatMap((alike) => (alike.length > 1 ? alike : []));
    for (const name of ambiguous) ends.set(name, (ends.get(name) ?? 0) + 4);
  }
  return ends;
}

/** Different parts may be the same text where names differ in several places. */
function unused(text: string, start: string, used: Set<string>): string {
  let uncut = text;
  for (let number = 2; used.has(`${start} ${uncut}`); number++) uncut = `${text} (${number})`;
  used.add(`${start} ${uncut}`);
  return uncut;
}
