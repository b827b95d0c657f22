/** Decodes string literals and quoted names by the lexical rules of their dialect. */
import type { LexicalRules } from '../../portable/lexer/lexical-rules.ts';

export type Literal =
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'bytes'; readonly hex: string }
  | { readonly kind: 'bits'; readonly digits: string };

/** Decodes a string token with its prefix and quotes; undefined for unsupported ones. */
export function readString(written: string, rules: LexicalRules): Literal | undefined {
  if (written.startsWith('$')) return { kind: 'text', value: withoutDollars(written) };
  const quoteAt = [...written].findIndex((character) => rules.stringQuotes.includes(character));
  const prefix = written.slice(0, quoteAt).toUpperCase();
  const quote = written[quoteAt] ?? '';
  const inner = written.slice(quoteAt + 1, -1);
  if (prefix === 'X') return /^[0-9a-f]*$/i.test(inner) ? { kind: 'bytes', hex: inner } : undefined;
  if (prefix === 'B') return /^[01]*$/.test(inner) ? { kind: 'bits', digits: inner } : undefined;
  if (prefix === 'U&') return undefined;
  const prefixRule = rules.prefixes.find(({ letters }) => letters === prefix);
  const escapes = prefixRule?.backslashEscapes ?? rules.backslashEscapes;
  return { kind: 'text', value: unquoted(inner, quote, escapes) };
}

/** Removes the quotes of a name. */
export function readName(written: string, rules: LexicalRules): string {
  const quote = rules.nameQuotes.find(({ open }) => written.startsWith(open));
  if (quote === undefined) return written;
  const inner = written.slice(1, -1);
  return quote.doubled ? inner.replaceAll(quote.close + quote.close, quote.close) : inner;
}

function withoutDollars(written: string): string {
  const tag = written.slice(0, written.indexOf('$', 1) + 1);
  return written.slice(tag.length, -tag.length);
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
