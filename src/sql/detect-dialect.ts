import type { DialectSign } from './ddl/reading.ts';

export interface DialectCandidate {
  readonly name: string;
  readonly signs: readonly DialectSign[];
}

/** As much of a text as is looked at: what a file is shows early. */
const longestLook = 1_000_000;
/** Of one sign, more than so many occurrences say no more. */
const mostCounted = 5;
/** Where a text shows little, it is likely meant for the database that it is brought to. */
const ownScore = 5;
/** Signs that come to less say little. */
const unsureScore = 20;

/** The dialects that a text may be of, the likeliest first. One that shows less than half of the likeliest's signs is none. */
export function rankDialects(
  text: string,
  candidates: readonly DialectCandidate[],
  own: string,
): readonly string[] {
  const code = withoutTexts(text.slice(0, longestLook));
  const scored = candidates
    .map(({ name, signs }) => ({
      name,
      score: scoreOf(code, signs) + (name === own ? ownScore : 0),
    }))
    .toSorted((a, b) => b.score - a.score);
  const best = scored[0]?.score ?? 0;
  return scored.filter(({ score }) => score * 2 >= best - unsureScore).map(({ name }) => name);
}

function scoreOf(code: string, signs: readonly DialectSign[]): number {
  return signs.reduce((score, { pattern, weight }) => score + weight * count(code, pattern), 0);
}

function count(code: string, pattern: RegExp): number {
  const matches = code.matchAll(pattern);
  let found = 0;
  while (found < mostCounted && matches.next().done !== true) found += 1;
  return found;
}

/** Prose in texts and comments says nothing; a comment that tells who has written the file does. */
function withoutTexts(text: string): string {
  return text
    .replaceAll(/'[^'\n]{8,}'/g, "''")
    .replaceAll(/^[ \t]*--(?!\s*(?:PostgreSQL|MySQL|MariaDB)\b).*$/gm, '');
}
