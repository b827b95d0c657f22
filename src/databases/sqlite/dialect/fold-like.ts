import type { LikePart, LikePattern } from '../../../model/database.ts';

/**
 * LIKE that ignores case in every script, by Unicode's simple case folding (RegExp's `iu`): SQLite's
 * own folds ASCII only. Linear in text times pattern, whatever the wildcards.
 */
export const foldLikeFunction = 'unicode_like';

/** Whether folding ASCII alone would miss something. */
export function needsFolding(pattern: LikePattern): boolean {
  return pattern.some((part) => {
    if (typeof part === 'string') return false;
    const rest = part.literal.replaceAll(/[\0-\x7f]+/g, '');
    return rest.toLowerCase() !== rest.toUpperCase();
  });
}

/** The pattern as LIKE writes it, with `\` as its escape. */
export function likeText(pattern: LikePattern): string {
  return pattern.map(partText).join('');
}

function partText(part: LikePart): string {
  if (part === 'any') return '%';
  return part === 'one' ? '_' : part.literal.replaceAll(/[\\%_]/g, String.raw`\$&`);
}

type Matches = (text: string) => boolean;

/** The function behind `unicode_like(pattern, text)`: NULL for NULL, false for what is not text. */
export function createFoldLike(): (pattern: unknown, text: unknown) => bigint | null {
  let last: { readonly pattern: string; readonly matches: Matches } | undefined;
  return (pattern, text) => {
    if (typeof pattern !== 'string' || text === null) return null;
    if (last?.pattern !== pattern) last = { pattern, matches: compile(pattern) };
    return typeof text === 'string' && last.matches(text) ? 1n : 0n;
  };
}

/** Between two `%` stands a piece of fixed length: the leftmost place of each is as good as any. */
function compile(pattern: string): Matches {
  const pieces = splitAtAny(pattern);
  const last = pieces.length - 1;
  const searches = pieces.map(
    (piece, i) => new RegExp(`${i === 0 ? '^' : ''}(?:${piece})${i === last ? '$' : ''}`, 'gisu'),
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

/** RegExp sources of what stands between the pattern's `%`. */
function splitAtAny(pattern: string): readonly string[] {
  const pieces = [''];
  for (const [token] of pattern.matchAll(/\\?[^]/gu)) {
    if (token === '%') pieces.push('');
    else pieces[pieces.length - 1] += token === '_' ? '.' : literalSource(token);
  }
  return pieces;
}

function literalSource(token: string): string {
  const char = token.length > 1 && token.startsWith('\\') ? token.slice(1) : token;
  return char.replace(/[\\^$.*+?()[\]{}|/]/, String.raw`\$&`);
}
