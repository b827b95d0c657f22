import { codeOf } from '../../portable/lexer/code.ts';
import { readName, readString } from '../expression/read-literal.ts';
import type { CodeToken } from '../../portable/lexer/code.ts';
import type { LexicalRules } from '../../portable/lexer/lexical-rules.ts';

/** A syntax error in DDL; `at` is the offset in the whole file. */
export class DdlError extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.name = 'DdlError';
    this.at = at;
  }
}

/** Thrown for statements that an import must not ignore and cannot follow. */
export class RejectedStatement extends DdlError {}

/** A statement names a table that the file does not create. Statements with IF EXISTS may ignore this error. */
export class MissingTableError extends DdlError {}

/** The tokens of one statement and the parser's position among them. */
export interface Cursor {
  readonly text: string;
  readonly lexical: LexicalRules;
  /** Offset of the statement in the file. */
  readonly offset: number;
  readonly code: readonly CodeToken[];
  /** Index of the next token in `code`. */
  at: number;
}

export interface StatementText {
  readonly text: string;
  readonly start: number;
}

/** The tokens that the server runs: without the openings and closings of versioned comments. */
export function executableCode(text: string, lexical: LexicalRules): readonly CodeToken[] {
  return codeOf(text, lexical).filter(({ kind }) => !kind.startsWith('versioned'));
}

export function openCursor({ text, start }: StatementText, lexical: LexicalRules): Cursor {
  const code = executableCode(text, lexical);
  return { text, lexical, offset: start, code, at: 0 };
}

export function wordAt({ code, at }: Cursor, ahead = 0): string {
  return code[at + ahead]?.word ?? '';
}

export function isAtEnd({ code, at }: Cursor): boolean {
  return at >= code.length;
}

/** Whether the next tokens are these words. */
export function isNext(cursor: Cursor, ...words: readonly string[]): boolean {
  return words.every((word, i) => wordAt(cursor, i) === word);
}

/** Consumes the words if they come next. */
export function accept(cursor: Cursor, ...words: readonly string[]): boolean {
  if (!isNext(cursor, ...words)) return false;
  cursor.at += words.length;
  return true;
}

/** Consumes one of the words; undefined if none comes next. */
export function acceptOne(cursor: Cursor, words: readonly string[]): string | undefined {
  const word = wordAt(cursor);
  if (word === '' || !words.includes(word)) return undefined;
  cursor.at += 1;
  return word;
}

export function expect(cursor: Cursor, ...words: readonly string[]): void {
  if (accept(cursor, ...words)) return;
  throw unexpected(cursor, words.map((word) => (/^\w/.test(word) ? word : `"${word}"`)).join(' '));
}

/** The error for the next token, which is not what was expected. */
export function unexpected(cursor: Cursor, expected: string): DdlError {
  const { code, at, offset, text } = cursor;
  const token = code[at];
  if (token === undefined)
    return new DdlError(`The statement ends where ${expected} is expected.`, offset + text.length);
  if (token.unterminated)
    return new DdlError('The quote that begins here is not closed.', offset + token.start);
  const tokenText = text.slice(token.start, token.end);
  return new DdlError(
    `${shortened(tokenText)} was found where ${expected} is expected.`,
    offset + token.start,
  );
}

const maxShownLength = 40;

function shortened(tokenText: string): string {
  return `"${tokenText.length > maxShownLength ? `${tokenText.slice(0, maxShownLength)}…` : tokenText}"`;
}

/** Throws if the statement has tokens left. */
export function expectEnd(cursor: Cursor): void {
  if (!isAtEnd(cursor)) throw unexpected(cursor, 'the end of the statement');
}

export function consumeToken(cursor: Cursor, expected: string): CodeToken {
  const token = cursor.code[cursor.at];
  if (token === undefined || token.unterminated) throw unexpected(cursor, expected);
  cursor.at += 1;
  return token;
}

/** Parses a name, quoted or not; some dialects accept strings as names. */
export function parseName(cursor: Cursor, expected = 'a name'): string {
  const token = cursor.code[cursor.at];
  const isName =
    token?.kind === 'word' || token?.kind === 'quoted-name' || token?.kind === 'string';
  if (token === undefined || !isName) throw unexpected(cursor, expected);
  consumeToken(cursor, expected);
  return nameOf(cursor, token);
}

function nameOf({ text, lexical }: Cursor, token: CodeToken): string {
  const tokenText = text.slice(token.start, token.end);
  if (token.kind !== 'string') return readName(tokenText, lexical);
  const literal = readString(tokenText, lexical);
  return literal?.kind === 'text' ? literal.value : tokenText;
}

/** Parses `a`, `b.a` or `c.b.a` into its parts. An omitted part is empty. */
export function parseQualifiedName(cursor: Cursor, expected = 'a name'): readonly string[] {
  const parts = [parseName(cursor, expected)];
  while (accept(cursor, '.')) {
    // T-SQL may omit a part: db..table.
    parts.push(wordAt(cursor) === '.' ? '' : parseName(cursor, expected));
  }
  return parts;
}

export function parseText(cursor: Cursor): string {
  if (cursor.code[cursor.at]?.kind !== 'string') throw unexpected(cursor, 'a text');
  return parseName(cursor, 'a text');
}

export function parseNumber(cursor: Cursor): number {
  const token = cursor.code[cursor.at];
  if (token?.kind !== 'number') throw unexpected(cursor, 'a number');
  cursor.at += 1;
  return Number(cursor.text.slice(token.start, token.end));
}

/** The index after the token at `from`, or after the parenthesized group that it opens. */
export function indexAfter({ code }: Cursor, from: number): number {
  if (code[from]?.word !== '(') return from + 1;
  let depth = 0;
  for (let i = from; i < code.length; i += 1) {
    if (code[i]?.word === '(') depth += 1;
    if (code[i]?.word === ')') depth -= 1;
    if (depth === 0) return i + 1;
  }
  return code.length;
}

/** Whether the group from the cursor to `end` is closed. The last `)` of the text may close an inner group. */
function isClosed({ code, at }: Cursor, end: number): boolean {
  const depth = code
    .slice(at, end)
    .reduce((sum, { word }) => sum + (word === '(' ? 1 : word === ')' ? -1 : 0), 0);
  return depth === 0;
}

/** Parses a parenthesized group and returns the text between the parentheses. */
export function parseGroup(cursor: Cursor, expected = '"("'): string {
  if (wordAt(cursor) !== '(') throw unexpected(cursor, expected);
  const end = indexAfter(cursor, cursor.at);
  if (!isClosed(cursor, end))
    throw new DdlError('The parenthesis that opens here is not closed.', offsetOf(cursor));
  const text = textBetween(cursor, cursor.at + 1, end - 1);
  cursor.at = end;
  return text;
}

/**
 * Skips a token, or a parenthesized group as a whole. Returns its text, which the caller names in a
 * warning, so that no token is passed over silently.
 */
export function skipValue(cursor: Cursor, expected: string): string {
  const from = cursor.at;
  const isValue = !isAtEnd(cursor) && ![',', ')', ';'].includes(wordAt(cursor));
  if (!isValue) throw unexpected(cursor, expected);
  if (wordAt(cursor) === '(') parseGroup(cursor);
  else consumeToken(cursor, expected);
  return textBetween(cursor, from, cursor.at);
}

/** Skips everything up to one of the words, or to the end. Returns its text, as `skipValue` does. */
export function skipTo(cursor: Cursor, words: readonly string[]): string {
  const from = cursor.at;
  while (!isAtEnd(cursor) && !words.includes(wordAt(cursor)))
    cursor.at = Math.min(indexAfter(cursor, cursor.at), cursor.code.length);
  return textBetween(cursor, from, cursor.at);
}

export function textBetween({ text, code }: Cursor, from: number, to: number): string {
  const first = code[from];
  const last = code[to - 1];
  return first === undefined || last === undefined || to <= from
    ? ''
    : text.slice(first.start, last.end);
}

/** Offset of the next token in the file. */
export function offsetOf({ code, at, offset, text }: Cursor): number {
  return offset + (code[at]?.start ?? text.length);
}

/** `( item, item, … )` */
export function parseList<T>(cursor: Cursor, parseItem: (cursor: Cursor) => T): readonly T[] {
  expect(cursor, '(');
  const items = [parseItem(cursor)];
  while (accept(cursor, ',')) items.push(parseItem(cursor));
  expect(cursor, ')');
  return items;
}
