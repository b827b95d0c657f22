/**
 * One lexer for every dialect. It is lossless (the joined tokens are the text), takes time linear in
 * the length of any text, and never throws: an unterminated token extends to the end of the text.
 */
import { nextCopyState, readClientLine, readCopy } from './client-lines.ts';
import { patternsOf } from './lexical-patterns.ts';
import {
  prefixAt,
  readBlockComment,
  readDollarQuoted,
  readLineComment,
  readName,
  readSkippedComment,
  readString,
} from './read-quoted.ts';
import { tokenEndingAt, matchEnd } from './token.ts';
import type { CopyState } from './client-lines.ts';
import type { LexicalPatterns } from './lexical-patterns.ts';
import type { LexicalRules } from './lexical-rules.ts';
import type { TokenWithoutStart, Token } from './token.ts';

export type { LexicalRules } from './lexical-rules.ts';
export type { Token, TokenKind } from './token.ts';

/** A lexer that can stop anywhere. A caller that reads a text in chunks updates `text` and `at` together. */
export interface Lexer {
  text: string;
  rules: LexicalRules;
  patterns: LexicalPatterns;
  at: number;
  /** There is only white space between the last line break and `at`. */
  atLineStart: boolean;
  delimiter: string;
  /** Inside of a versioned comment of MySQL (`/*!40101 …`), whose content is code. */
  inVersioned: boolean;
  copy: CopyState;
  /** Escape mode of the string just read, as long as only white space follows it. */
  continued: { readonly backslashEscapes: boolean; readonly lineBreak: boolean } | undefined;
}

/** The last text that was tokenized: one statement after the other is split, classified and read. */
let lastRead:
  | { readonly text: string; readonly rules: LexicalRules; readonly tokens: readonly Token[] }
  | undefined;

/** In UTF-16 code units; the tokens of longer texts are not retained. */
const maxRetainedLength = 65_536;

export function tokenize(text: string, rules: LexicalRules): readonly Token[] {
  if (lastRead?.rules === rules && lastRead.text === text) return lastRead.tokens;
  const tokens = readTokens(text, rules);
  if (text.length <= maxRetainedLength) lastRead = { text, rules, tokens };
  return tokens;
}

function readTokens(text: string, rules: LexicalRules): readonly Token[] {
  const lexer = startLexer(text, rules);
  const tokens: Token[] = [];
  let openVersioned = -1;
  while (lexer.at < text.length) {
    const token = readToken(lexer);
    if (token.kind === 'versioned-open') openVersioned = tokens.length;
    tokens.push(token);
  }
  const open = tokens[openVersioned];
  if (lexer.inVersioned && open !== undefined)
    tokens[openVersioned] = { ...open, unterminated: true };
  return tokens;
}

/** Reads the next token. The caller must check that there is one. */
export function readToken(lexer: Lexer): Token {
  const token = withStart(lexer.at, next(lexer));
  updateState(lexer, token);
  return token;
}

/** Lists the properties instead of spreading them, which takes several times as long for a million tokens. */
function withStart(start: number, { kind, end, unterminated }: TokenWithoutStart): Token {
  return unterminated ? { kind, start, end, unterminated } : { kind, start, end };
}

export function startLexer(text: string, rules: LexicalRules): Lexer {
  return {
    text,
    rules,
    patterns: patternsOf(rules),
    at: 0,
    atLineStart: true,
    delimiter: ';',
    inVersioned: false,
    copy: rules.clientLines.includes('copy-data') ? 'start' : 'other',
    continued: undefined,
  };
}

type Reader = (lexer: Lexer) => TokenWithoutStart | undefined;

/** The first reader that matches wins. */
const readers: readonly Reader[] = [
  ({ text, at, copy }) => readCopy(text, at, copy),
  readLine,
  readSpace,
  readDelimiter,
  readComment,
  readVersionedClose,
  readQuoted,
  ({ text, at, rules }) => (rules.dollarQuotes ? readDollarQuoted(text, at) : undefined),
  byPattern('number'),
  byPattern('parameter'),
  byPattern('variable'),
  byPattern('word'),
  byPattern('punctuation'),
];

function next(lexer: Lexer): TokenWithoutStart {
  for (const read of readers) {
    const token = read(lexer);
    if (token !== undefined) return cutAtDelimiter(lexer, token);
  }
  const end = matchEnd(lexer.patterns.operator, lexer.text, lexer.at) ?? lexer.at + 1;
  return cutAtDelimiter(lexer, tokenEndingAt('operator', end));
}

function byPattern(kind: 'number' | 'parameter' | 'variable' | 'word' | 'punctuation'): Reader {
  return ({ text, at, patterns }) => {
    const pattern = patterns[kind];
    const end = pattern && matchEnd(pattern, text, at);
    return end === undefined ? undefined : tokenEndingAt(kind, end);
  };
}

function readLine(lexer: Lexer): TokenWithoutStart | undefined {
  const { text, at, rules, atLineStart } = lexer;
  if (!atLineStart || rules.clientLines.length === 0) return undefined;
  const line = readClientLine(text, at, rules.clientLines);
  if (line === undefined) return undefined;
  const { delimiter, ...token } = line;
  lexer.delimiter = delimiter ?? lexer.delimiter;
  return token;
}

/** A byte order mark at the start counts as white space. */
function readSpace({ text, at, patterns }: Lexer): TokenWithoutStart | undefined {
  if (at === 0 && text[0] === '\ufeff') return tokenEndingAt('space', 1);
  const end = matchEnd(patterns.space, text, at);
  return end === undefined ? undefined : tokenEndingAt('space', end);
}

/** Clients do not look for delimiters in comments, so `;` in a versioned comment is an ordinary token. */
function readDelimiter({ text, at, delimiter, inVersioned }: Lexer): TokenWithoutStart | undefined {
  if (inVersioned || !text.startsWith(delimiter, at)) return undefined;
  return tokenEndingAt('delimiter', at + delimiter.length);
}

function readComment({ text, at, rules, patterns }: Lexer): TokenWithoutStart | undefined {
  if (!'-#/'.includes(text[at] ?? '')) return undefined;
  if (matchEnd(patterns.lineComment, text, at) !== undefined) {
    return readLineComment(text, at, patterns.lineEnd);
  }
  if (!text.startsWith('/*', at)) return undefined;
  const versioned = patterns.versionedOpen && matchEnd(patterns.versionedOpen, text, at);
  if (versioned !== undefined)
    return isSkipped(text.slice(at, versioned), rules)
      ? readSkippedComment(text, at)
      : tokenEndingAt('versioned-open', versioned);
  const comment = readBlockComment(text, at, rules.nestedComments);
  return rules.hints && text[at + 2] === '+' ? { ...comment, kind: 'hint' } : comment;
}

/** Whether a token is a versioned comment that the server skips. Those for the client alone begin with `\\-`. */
export function isSkippedComment(
  text: string,
  { kind, start }: Token,
  rules: LexicalRules,
): boolean {
  if (kind !== 'comment' || !rules.versionedComments.some((open) => text.startsWith(open, start)))
    return false;
  return !/^\/\*M?!\d*\\-/.test(text.slice(start, start + 16));
}

/** Whether the server skips the comment with this opening: `/*!40101`. */
function isSkipped(open: string, { skippedComments }: LexicalRules): boolean {
  const [, mark = '', version] = /^(\D+)(\d*)$/.exec(open) ?? [];
  const number = Number(version);
  return skippedComments[mark]?.some(([first, last]) => number >= first && number <= last) === true;
}

function readVersionedClose({ text, at, inVersioned }: Lexer): TokenWithoutStart | undefined {
  return inVersioned && text.startsWith('*/', at)
    ? tokenEndingAt('versioned-close', at + 2)
    : undefined;
}

function readQuoted(lexer: Lexer): TokenWithoutStart | undefined {
  const { text, at, rules, patterns, continued } = lexer;
  const first = text[at] ?? '';
  if (!patterns.quotedStart.has(first)) return undefined;
  const nameQuote = rules.nameQuotes.find(({ open }) => open === first);
  if (nameQuote !== undefined) return readName(text, at, nameQuote);
  if (rules.stringQuotes.includes(first)) {
    const goesOn = continued?.lineBreak === true;
    return readStringPart(lexer, at, goesOn ? continued.backslashEscapes : rules.backslashEscapes);
  }
  return readPrefixed(lexer);
}

function readPrefixed(lexer: Lexer): TokenWithoutStart | undefined {
  const { text, at, rules } = lexer;
  const prefix = prefixAt(rules, text, at);
  if (prefix === undefined) return undefined;
  const quoteAt = at + prefix.letters.length;
  const nameQuote = rules.nameQuotes.find(({ open }) => open === text[quoteAt]);
  if (nameQuote !== undefined) return readName(text, quoteAt, nameQuote);
  return readStringPart(lexer, quoteAt, prefix.backslashEscapes ?? rules.backslashEscapes);
}

function readStringPart(lexer: Lexer, at: number, backslashEscapes: boolean): TokenWithoutStart {
  if (lexer.rules.continuedStrings) lexer.continued = { backslashEscapes, lineBreak: false };
  return readString(lexer.text, at, backslashEscapes);
}

/** The mysql client finds its delimiter within a word too: `END$$`. */
function cutAtDelimiter(
  { text, at, delimiter }: Lexer,
  token: TokenWithoutStart,
): TokenWithoutStart {
  if (delimiter === ';' || !['word', 'variable', 'parameter', 'operator'].includes(token.kind)) {
    return token;
  }
  const offset = text.slice(at, token.end + delimiter.length - 1).indexOf(delimiter);
  return offset > 0 ? { ...token, end: Math.min(token.end, at + offset) } : token;
}

/** Advances the lexer past a token. */
function updateState(lexer: Lexer, token: Token): void {
  lexer.at = token.end;
  if (token.kind === 'space' || token.kind === 'copy-data') updateAfterSpace(lexer, token);
  else lexer.atLineStart = false;
  if (token.kind === 'versioned-open') lexer.inVersioned = true;
  if (token.kind === 'versioned-close') lexer.inVersioned = false;
  if (token.kind !== 'string' && !isLineComment(lexer.text, token) && token.kind !== 'space') {
    lexer.continued = undefined;
  }
  if (lexer.copy === 'line-end') lexer.copy = 'rows';
  else if (lexer.copy === 'rows') lexer.copy = 'start';
  else if (token.kind !== 'space' && token.kind !== 'comment' && token.kind !== 'meta-line') {
    lexer.copy = nextCopyState(lexer.copy, token, lexer.text);
  }
}

function updateAfterSpace(lexer: Lexer, { start, end }: Token): void {
  const lineBreak = /[\r\n]/.test(lexer.text.slice(start, end));
  lexer.atLineStart ||= lineBreak;
  if (lineBreak && lexer.continued) lexer.continued = { ...lexer.continued, lineBreak };
}

function isLineComment(text: string, token: Token): boolean {
  return token.kind === 'comment' && text[token.start] === '-';
}
