import type { SkippedComments } from '../../model/skipped-comments.ts';

/** The lexical rules of one dialect: data only. Server settings that affect them produce another set of rules. */
export interface LexicalRules {
  readonly nameQuotes: readonly NameQuote[];
  /** String quotes. MySQL's ANSI_QUOTES and SQL Server's QUOTED_IDENTIFIER move `"` between here and `nameQuotes`. */
  readonly stringQuotes: readonly string[];
  /** For strings without a prefix. Off under NO_BACKSLASH_ESCAPES, on where standard_conforming_strings is off. */
  readonly backslashEscapes: boolean;
  readonly prefixes: readonly QuotePrefix[];
  /** A string continues after a line break, with the escape mode of its first part. */
  readonly continuedStrings: boolean;
  /** `$$ … $$` and `$tag$ … $tag$`. */
  readonly dollarQuotes: boolean;
  readonly nestedComments: boolean;
  readonly hashComments: boolean;
  /** `--` begins a comment only before white space or a control character. */
  readonly dashesNeedBlank: boolean;
  /** Characters that end a `--` or `#` comment, as the content of a RegExp character class. */
  readonly lineEnds: string;
  /** Openings of comments whose content some servers run. */
  readonly versionedComments: readonly string[];
  /** Versioned comments that are comments to the server, if it is known. */
  readonly skippedComments: SkippedComments;
  /** A comment that begins with `/*+` is an optimizer hint. */
  readonly hints: boolean;
  readonly parameters: readonly ParameterForm[];
  /** `@name` and `@@name` are variables. */
  readonly variables: boolean;
  /** White space, as the content of a RegExp character class. */
  readonly blanks: string;
  /** First characters of an unquoted name, as the content of a RegExp character class. */
  readonly nameStart: string;
  /** Further characters of an unquoted name, as the content of a RegExp character class. */
  readonly nameRest: string;
  /** `1e` is a number, so `1eSELECT` contains a keyword. */
  readonly allowsEmptyExponent: boolean;
  readonly clientLines: readonly ClientLine[];
}

export interface NameQuote {
  readonly open: string;
  readonly close: string;
  /** A doubled closing quote stands for the quote itself. */
  readonly doubled: boolean;
}

/** Letters directly before a quote: E'…', N'…', U&"…". */
export interface QuotePrefix {
  readonly letters: string;
  readonly quotes: string;
  /** If absent, the rule for strings without a prefix applies. */
  readonly backslashEscapes?: boolean;
}

export type ParameterForm = '?' | '?1' | '$1' | ':name' | '@name' | '$name';

/** Kinds of lines for the client program, which no server understands. */
export type ClientLine = 'GO' | 'sqlcmd' | 'DELIMITER' | 'backslash' | 'copy-data';
