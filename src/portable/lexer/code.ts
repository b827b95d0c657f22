import { tokenize } from './lexer.ts';
import type { LexicalRules } from './lexical-rules.ts';
import type { Token } from './token.ts';

/** A token that is neither space nor comment. */
export interface CodeToken extends Token {
  /** An unquoted word in upper case, or the operator or punctuation itself; empty for quoted names, strings and numbers. */
  readonly word: string;
}

const kindsWithWord: ReadonlySet<string> = new Set([
  'word',
  'operator',
  'punctuation',
  'delimiter',
]);
const skippedKinds: ReadonlySet<string> = new Set(['space', 'comment', 'hint']);

export function codeOf(text: string, rules: LexicalRules): readonly CodeToken[] {
  return codeTokens(text, tokenize(text, rules));
}

const codeOfTokens = new WeakMap<readonly Token[], readonly CodeToken[]>();

/** The tokens of the text without spaces and comments. */
export function codeTokens(text: string, tokens: readonly Token[]): readonly CodeToken[] {
  const cachedCode = codeOfTokens.get(tokens);
  if (cachedCode !== undefined) return cachedCode;
  const code: CodeToken[] = [];
  for (const token of tokens) {
    if (!skippedKinds.has(token.kind)) code.push(withWord(text, token));
  }
  codeOfTokens.set(tokens, code);
  return code;
}

function withWord(text: string, token: Token): CodeToken {
  const { kind, start, end, unterminated } = token;
  const word = wordOf(text, token);
  return unterminated ? { kind, start, end, unterminated, word } : { kind, start, end, word };
}

function wordOf(text: string, { kind, start, end }: Token): string {
  return kindsWithWord.has(kind) ? text.slice(start, end).toUpperCase() : '';
}

/** Whether the token can be a keyword; after a dot a word is part of a name. */
export function isKeyword(code: readonly CodeToken[], i: number): boolean {
  return code[i]?.kind === 'word' && code[i - 1]?.word !== '.';
}

const maxKeyWords = 4;

/** The longest key of the table, of words separated by spaces, that matches the tokens from index `i`. */
export function longestKey(
  table: Readonly<Record<string, unknown>>,
  code: readonly CodeToken[],
  i: number,
): string | undefined {
  let key = '';
  let longest: string | undefined;
  for (const { kind, word } of code.slice(i, i + maxKeyWords)) {
    if (kind !== 'word') break;
    key = key === '' ? word : `${key} ${word}`;
    if (Object.hasOwn(table, key)) longest = key;
  }
  return longest;
}

/** For each opening parenthesis, the index after the token that closes it. */
export function groupEnds(code: readonly CodeToken[]): number[] {
  const ends: number[] = code.map(() => code.length);
  const open: number[] = [];
  for (const [i, { word }] of code.entries()) {
    if (word === '(') open.push(i);
    const opening = word === ')' ? open.pop() : undefined;
    if (opening !== undefined) ends[opening] = i + 1;
  }
  return ends;
}
