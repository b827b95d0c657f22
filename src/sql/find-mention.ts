import { codeOf } from '../portable/lexer/code.ts';
import type { LexicalRules } from '../portable/lexer/lexical-rules.ts';

/** Where in a statement to look for what an error message mentions. */
interface MentionSearch {
  readonly text: string;
  readonly rules: LexicalRules;
  /** An offset in UTF-16 units. Default: the beginning. */
  readonly from?: number;
}

/**
 * The offset of the first occurrence of a name that an error message mentions, such as `users.mail`.
 * Messages may qualify names that the statement does not. Undefined if it does not occur.
 */
export function findMention(
  name: string,
  { text, rules, from = 0 }: MentionSearch,
): number | undefined {
  const tokens = codeOf(text, rules);
  const [last = '', qualifier] = name.split('.').toReversed().map(plainName);
  const plainTokens = tokens.map(({ start, end }) => plainName(text.slice(start, end)));
  const found = tokens
    .map((token, i) => ({ ...token, i }))
    .filter(({ start, i }) => start >= from && plainTokens[i] === last);
  const isQualified = ({ i }: { readonly i: number }): boolean =>
    plainTokens[i - 1] === '.' && plainTokens[i - 2] === qualifier;
  return (found.find(isQualified) ?? found[0])?.start;
}

/** The offset at which a line begins; lines count from 1. */
export function lineStart(text: string, line: number): number {
  let start = 0;
  for (let before = 1; before < line; before++) {
    const end = text.indexOf('\n', start);
    if (end < 0) break;
    start = end + 1;
  }
  return start;
}

function plainName(text: string): string {
  return text.replace(/^["'`[]|["'`\]]$/g, '').toLowerCase();
}
