import { tokenEndingAt, tokenOrUnterminated, matchEnd } from './token.ts';
import type { LexicalRules, NameQuote, QuotePrefix } from './lexical-rules.ts';
import type { TokenWithoutStart } from './token.ts';

interface Closing {
  readonly close: string;
  readonly doubled: boolean;
  readonly backslashEscapes: boolean;
}

/** The offset after the closing quote of quoted text whose content begins at `from`. */
function endOfQuoted(text: string, from: number, closing: Closing): number | undefined {
  const { close, doubled, backslashEscapes } = closing;
  for (let i = from; i < text.length; i += 1) {
    const character = text[i];
    if (character === '\\' && backslashEscapes) i += 1;
    else if (character === close) {
      if (!doubled || text[i + 1] !== close) return i + 1;
      i += 1;
    }
  }
  return undefined;
}

/** Reads a string whose opening quote is at offset `at`. */
export function readString(text: string, at: number, backslashEscapes: boolean): TokenWithoutStart {
  const closing = { close: text[at] ?? '', doubled: true, backslashEscapes };
  return tokenOrUnterminated('string', endOfQuoted(text, at + 1, closing), text);
}

export function readName(
  text: string,
  at: number,
  { close, doubled }: NameQuote,
): TokenWithoutStart {
  const closing = { close, doubled, backslashEscapes: false };
  return tokenOrUnterminated('quoted-name', endOfQuoted(text, at + 1, closing), text);
}

/** The prefix at offset `at`, if its quote follows immediately. */
export function prefixAt(rules: LexicalRules, text: string, at: number): QuotePrefix | undefined {
  return rules.prefixes.find(({ letters, quotes }) => {
    const end = at + letters.length;
    const quote = text[end];
    return (
      quote !== undefined && quotes.includes(quote) && text.slice(at, end).toUpperCase() === letters
    );
  });
}

const openingDollars = /\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y;

export function readDollarQuoted(text: string, at: number): TokenWithoutStart | undefined {
  const contentStart = matchEnd(openingDollars, text, at);
  if (contentStart === undefined) return undefined;
  const tag = text.slice(at, contentStart);
  const close = text.indexOf(tag, contentStart);
  return tokenOrUnterminated('string', close < 0 ? undefined : close + tag.length, text);
}

export function readBlockComment(text: string, at: number, nested: boolean): TokenWithoutStart {
  const end = nested ? endOfNested(text, at + 2) : endOfFlat(text, at + 2);
  return tokenOrUnterminated('comment', end, text);
}

function endOfFlat(text: string, from: number): number | undefined {
  const close = text.indexOf('*/', from);
  return close < 0 ? undefined : close + 2;
}

function endOfNested(text: string, from: number): number | undefined {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = from;
  let depth = 1;
  for (let next = mark.exec(text); next !== null; next = mark.exec(text)) {
    depth += next[0] === '/*' ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
  return undefined;
}

/** A versioned comment that the server skips; unlike others, it may contain comments. */
export function readSkippedComment(text: string, at: number): TokenWithoutStart {
  return tokenOrUnterminated('comment', endOfSkipped(text, at + 2), text);
}

/** Comments within the comment do not nest further. */
function endOfSkipped(text: string, from: number): number | undefined {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = from;
  let isInner = false;
  for (let next = mark.exec(text); next !== null; next = mark.exec(text)) {
    if (next[0] === '*/' && !isInner) return mark.lastIndex;
    isInner = next[0] === '/*';
  }
  return undefined;
}

/** The line break after the comment belongs to the following white space token. */
export function readLineComment(text: string, at: number, lineEnd: RegExp): TokenWithoutStart {
  lineEnd.lastIndex = at;
  return tokenEndingAt('comment', lineEnd.exec(text)?.index ?? text.length);
}
