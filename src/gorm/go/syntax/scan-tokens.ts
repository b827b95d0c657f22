/** Splits Go sources into tokens, as far as brackets, declarations and expressions need them. */

/** A syntax error and its offset. */
export interface GoSyntaxError {
  readonly message: string;
  readonly offset: number;
}

/** Start and end. */
export type Span = readonly [from: number, to: number];

type TokenKind = 'word' | 'literal' | 'open' | 'close' | 'newline' | 'other';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly offset: number;
}

export interface Scan {
  readonly tokens: readonly Token[];
  /** Start and end of comments. */
  readonly comments: readonly Span[];
}

/** One token: a comment, word, string, rune, number, or operator. */
const pattern = new RegExp(
  [
    String.raw`//[^\n]*|/\*[\s\S]*?\*/`,
    String.raw`[\p{L}_][\p{L}\p{Nd}_]*`,
    '`[^`]*`' + String.raw`|"(?:\\[^\n]|[^"\\\n])*"|'(?:\\[^\n]|[^'\\\n])+'|\.?\d[\w.]*`,
    String.raw`[()[\]{}\n]`,
    String.raw`[-+*/%&|^<>=!~.,:;]`,
  ].join('|'),
  'suy',
);

/** The tokens of a source. A syntax error if quotes or comments are not closed. */
export function scanTokens(source: string): Scan | GoSyntaxError {
  const tokens: Token[] = [];
  const comments: Span[] = [];
  for (
    let offset = skipBlanks(source, source.startsWith('\ufeff') ? 1 : 0);
    offset < source.length;
  ) {
    pattern.lastIndex = offset;
    if (!pattern.test(source)) return { message: describeUnreadable(source, offset), offset };
    const end = pattern.lastIndex;
    const text = source.slice(offset, end);
    const kind = kindOf(text);
    if (kind === 'comment') comments.push([offset, end]);
    else tokens.push({ kind, text, offset });
    if (kind === 'comment' && text.includes('\n')) tokens.push({ kind: 'newline', text, offset });
    offset = skipBlanks(source, end);
  }
  return { tokens, comments };
}

const blanks: ReadonlySet<string> = new Set([' ', '\t', '\r']);

function skipBlanks(source: string, from: number): number {
  let offset = from;
  while (blanks.has(source.charAt(offset))) offset++;
  return offset;
}

const kinds: Readonly<Record<string, TokenKind>> = {
  ...{ '(': 'open', '[': 'open', '{': 'open', ')': 'close', ']': 'close', '}': 'close' },
  ...{ '"': 'literal', "'": 'literal', '`': 'literal', '\n': 'newline' },
};

function kindOf(text: string): TokenKind | 'comment' {
  const first = text.charAt(0);
  const kind = kinds[first];
  if (kind !== undefined) return kind;
  if (/[a-z_]/i.test(first) || /\p{L}/u.test(first)) return 'word';
  if (first === '/' && text.length > 1) return 'comment';
  return text.length > 1 || /\d/.test(first) ? 'literal' : 'other';
}

function describeUnreadable(source: string, offset: number): string {
  if (source.startsWith('/*', offset)) return 'The comment is not closed.';
  const quote = source[offset] ?? '';
  if (quote === '`' || quote === '"') return 'The string is not closed.';
  if (quote === "'") return 'The character literal is not closed.';
  return `Unexpected character ${JSON.stringify(String.fromCodePoint(source.codePointAt(offset) ?? 0))}.`;
}
