import type { LikePart, LikePattern } from '../model/database.ts';

/**
 * Parses a client's LIKE pattern: `%` and `_` are wildcards; `\%`, `\_` and `\\` stand for the
 * characters themselves; any other backslash is literal.
 */
export function readLikePattern(text: string): LikePattern {
  const parts: LikePart[] = [];
  let literal = '';
  const flush = (): void => {
    if (literal !== '') parts.push({ literal });
    literal = '';
  };
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (char === '\\' && /[%_\\]/.test(text[i + 1] ?? '')) literal += text[++i];
    else if (char !== '%' && char !== '_') literal += char;
    else {
      flush();
      parts.push(char === '%' ? 'any' : 'one');
    }
  }
  flush();
  return parts;
}
