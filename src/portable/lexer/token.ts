export type TokenKind =
  | 'word'
  | 'quoted-name'
  | 'string'
  | 'number'
  | 'parameter'
  | 'variable'
  | 'operator'
  | 'punctuation'
  /** Ends a statement: `;`, or the text that a DELIMITER line has set. */
  | 'delimiter'
  | 'comment'
  | 'hint'
  /** `/*!40101`; the tokens up to its `versioned-close` are code. */
  | 'versioned-open'
  | 'versioned-close'
  | 'space'
  /** A line for the client: GO, DELIMITER, psql's backslash commands and the `\.` after COPY data. */
  | 'meta-line'
  /** The rows between COPY … FROM stdin and `\.`. */
  | 'copy-data';

export interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
  /** The text ended before the token did. */
  readonly unterminated?: true;
}

/** What a reader finds at the current position of the lexer. */
export type TokenWithoutStart = Omit<Token, 'start'>;

export function tokenEndingAt(kind: TokenKind, end: number): TokenWithoutStart {
  return { kind, end };
}

/** A token that ends at `end`; if that is undefined, the token is unterminated. */
export function tokenOrUnterminated(
  kind: TokenKind,
  end: number | undefined,
  text: string,
): TokenWithoutStart {
  return end === undefined ? { kind, end: text.length, unterminated: true } : { kind, end };
}

/** The end of a sticky pattern's match at offset `at`. */
export function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
