/** How one dialect's text falls into tokens: data only. Server settings that change it are variations of the data. */
export interface LexicalRules {
  readonly nameQuotes: readonly NameQuote[];
  /** Quotes of strings. MySQL's ANSI_QUOTES, SQL Server's QUOTED_IDENTIFIER OFF move `"` between here and `nameQuotes`. */
  readonly stringQuotes: readonly string[];
  /** In strings without a prefix. Off under NO_BACKSLASH_ESCAPES, on where standard_conforming_strings is off. */
  readonly backslashEscapes: boolean;
  readonly prefixes: readonly QuotePrefix[];
  /** A string goes on after a line break, with the escapes of its first part. */
  readonly continuedStrings: boolean;
  /** `$$ … $$` and `$tag$ … $tag$`. */
  readonly dollarQuotes: boolean;
  readonly nestedComments: boolean;
  readonly hashComments: boolean;
  /** `--` begins a comment only before white space or a control character. */
  readonly dashesNeedBlank: boolean;
  /** What ends a `--` or `#` comment: the characters of a RegExp class. */
  readonly lineEnds: string;
  /** What opens a comment whose content some servers run. */
  readonly versionedComments: readonly string[];
  /** A comment that begins with `/*+` speaks to the optimizer. */
  readonly hints: boolean;
  readonly parameters: readonly ParameterForm[];
  /** `@name` and `@@name` are variables. */
  readonly variables: boolean;
  /** Characters, in a RegExp class, that white space is made of. */
  readonly blanks: string;
  /** Characters, in a RegExp class, that a bare name begins with. */
  readonly nameStart: string;
  /** Characters, in a RegExp class, that a bare name goes on with. */
  readonly nameRest: string;
  /** `1e` is a number, so that `1eSELECT` holds a keyword. */
  readonly emptyExponent: boolean;
  readonly clientLines: readonly ClientLine[];
}

export interface NameQuote {
  readonly open: string;
  readonly close: string;
  /** The closing quote, written twice, stands for itself. */
  readonly doubled: boolean;
}

/** Letters directly before a quote: E'…', N'…', U&"…". */
export interface QuotePrefix {
  readonly letters: string;
  readonly quotes: string;
  /** Left out: as in strings without a prefix. */
  readonly backslashEscapes?: boolean;
}

export type ParameterForm = '?' | '?1' | '$1' | ':name' | '@name' | '$name';

/** Lines for the dialect's own client program, which no server understands. */
export type ClientLine = 'GO' | 'DELIMITER' | 'backslash' | 'copy-data';
