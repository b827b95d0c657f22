/** Decodes string literals and quoted names by the lexical rules of their dialect. */
import type { LexicalRules } from '../../portable/lexer/lexical-rules.ts';

export type Literal =
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'bytes'; readonly hex: string }
  | { readonly kind: 'bits'; readonly digits: string };

/** Decodes a string token with its prefix and quotes; undefined for unsupported ones. */
export function readString(tokenText: string, rules: LexicalRules): Literal | undefined {
  if (tokenText.startsWith('$')) return { kind: 'text', value: withoutDollars(tokenText) };
  const quoteAt = [...tokenText].findIndex((character) => rules.stringQuotes.includes(character));
  const prefix = tokenText.slice(0, quoteAt).toUpperCase();
  const quote = tokenText[quoteAt] ?? '';
  const inner = tokenText.slice(quoteAt + 1, -1);
  if (prefix === 'X') return /^[0-9a-f]*$/i.test(inner) ? { kind: 'bytes', hex: inner } : undefined;
  if (prefix === 'B') return /^[01]*$/.test(inner) ? { kind: 'bits', digits: inner } : undefined;
  if (prefix === 'U&') return undefined;
  const prefixRule = rules.prefixes.find(({ letters }) => letters === prefix);
  const escapes = prefixRule?.backslashEscapes ?? rules.backslashEscapes;
  return { kind: 'text', value: unquoted(inner, quote, escapes) };
}

/** Removes the quotes of a name. */
export function readName(tokenText: string, rules: LexicalRules): string {
  const quote = rules.nameQuotes.find(({ open }) => tokenText.startsWith(open));
  if (quote === undefined) return tokenText;
  const inner = tokenText.slice(1, -1);
  return quote.doubled ? inner.replaceAll(quote.close + quote.close, quote.close) : inner;
}

function withoutDollars(tokenText: string): string {
  const tag = tokenText.slice(0, tokenText.indexOf('$', 1) + 1);
  return tokenText.slice(tag.length, -tag.length);
}

const escaped: Readonly<Record<string, string>> = {
  '0': '\0',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  Z: '\u001a',
};

function unquoted(inner: string, quote: string, escapes: boolean): string {
  if (!escapes) return inner.replaceAll(quote + quote, quote);
  return inner.replaceAll(/\\([\s\S])|''|""/g, (pair: string, character: string | undefined) => {
    if (character !== undefined)
      return likeEscapes.has(character) ? pair : (escaped[character] ?? character);
    return pair[0] === quote ? quote : pair;
  });
}

/** In MySQL strings `\%` and `\_` keep their backslash, which LIKE needs. */
const likeEscapes: ReadonlySet<string> = new Set(['%', '_']);
