import type { LikePart, LikePattern } from '../../../model/database.ts';

/**
 * LIKE that ignores case in every script, by Unicode's simple case folding (RegExp's `iu`). SQLite's
 * own LIKE ignores case in ASCII only. Its time is linear in text times pattern, whatever the wildcards.
 */
export const foldLikeFunction = 'unicode_like';

/** Whether the pattern has letters with case outside ASCII. */
export function needsFolding(pattern: LikePattern): boolean {
  return pattern.some((part) => {
    if (typeof part === 'string') return false;
    const rest = part.literal.replaceAll(/[\0-\x7f]+/g, '');
    return rest.toLowerCase() !== rest.toUpperCase();
  });
}

/** The pattern in LIKE's syntax, with `\` as its escape character. */
export function likeText(pattern: LikePattern): string {
  return pattern.map(partText).join('');
}

function partText(part: LikePart): string {
  if (part === 'any') return '%';
  return part === 'one' ? '_' : part.literal.replaceAll(/[\\%_]/g, String.raw`\$&`);
}

type Matches = (text: string) => boolean;

/** The implementation of `unicode_like(pattern, text)`: NULL for NULL, false for values that are not text. */
export function createFoldLike(): (pattern: unknown, text: unknown) => bigint | null {
  let last: { readonly pattern: string; readonly matches: Matches } | undefined;
  return (pattern, text) => {
    if (typeof pattern !== 'string' || text === null) return null;
    if (last?.pattern !== pattern) last = { pattern, matches: compile(pattern) };
    return typeof text === 'string' && last.matches(text) ? 1n : 0n;
  };
}

/** Splits the pattern at `%` and finds the leftmost match of each segment in turn, without backtracking. */
function compile(pattern: string): Matches {
  const segments = segmentSources(pattern);
  const last = segments.length - 1;
  const searches = segments.map(
    (segment, i) =>
      new RegExp(`${i === 0 ? '^' : ''}(?:${segment})${i === last ? '$' : ''}`, 'gisu'),
  );
  return (text) => {
    let at = 0;
    return searches.every((search) => {
      search.lastIndex = at;
      const found = search.test(text);
      at = search.lastIndex;
      return found;
    });
  };
}

/** RegExp sources of the segments between the pattern's `%`. */
function segmentSources(pattern: string): readonly string[] {
  const segments = [''];
  for (const [token] of pattern.matchAll(/\\?[^]/gu)) {
    if (token === '%') segments.push('');
    else segments[segments.length - 1] += token === '_' ? '.' : literalSource(token);
  }
  return segments;
}

function literalSource(token: string): string {
  const char = token.length > 1 && token.startsWith('\\') ? token.slice(1) : token;
  return char.replace(/[\\^$.*+?()[\]{}|/]/, String.raw`\$&`);
}
