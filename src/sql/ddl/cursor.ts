import { codeOf } from '../code.ts';
import { readName, readString } from '../expression/read-literal.ts';
import type { CodeToken } from '../code.ts';
import type { LexicalRules } from '../lexical-rules.ts';

/** A text that is no DDL as it is known here; `at` is the place in the whole file. */
export class DdlError extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.name = 'DdlError';
    this.at = at;
  }
}

/** Thrown for what the studio never runs, and so does not pretend to have. */
export class Refusal extends DdlError {}

/** A table is named that the file does not make: no matter where the statement asks first whether it is there. */
export class MissingTable extends DdlError {}

/** The place that has been reached in one statement. */
export interface Cursor {
  readonly text: string;
  readonly lexical: LexicalRules;
  /** Where the statement begins in the file. */
  readonly offset: number;
  readonly code: readonly CodeToken[];
  at: number;
}

export interface StatementText {
  readonly text: string;
  readonly start: number;
}

/** No server has such a version: what a comment of it holds is never run. */
const neverRun = 99_999;

/** Without the marks of versioned comments: what one server runs, the file means. */
export function runCode(text: string, lexical: LexicalRules): readonly CodeToken[] {
  let isDead = false;
  return codeOf(text, lexical).filter(({ kind, start, end }) => {
    if (kind === 'versioned-open') {
      const version = /^\/\*!(\d+)/.exec(text.slice(start, end))?.[1];
      isDead = version !== undefined && Number(version) >= neverRun && version.length === 5;
      return false;
    }
    const isClose = kind === 'versioned-close';
    const isRun = !isDead && !isClose;
    if (isClose) isDead = false;
    return isRun;
  });
}

export function openCursor({ text, start }: StatementText, lexical: LexicalRules): Cursor {
  const code = runCode(text, lexical);
  return { text, lexical, offset: start, code, at: 0 };
}

export function wordAt({ code, at }: Cursor, ahead = 0): string {
  return code[at + ahead]?.word ?? '';
}

export function isAtEnd({ code, at }: Cursor): boolean {
  return at >= code.length;
}

/** Whether the words stand here in a row. */
export function isAhead(cursor: Cursor, ...words: readonly string[]): boolean {
  return words.every((word, i) => wordAt(cursor, i) === word);
}

/** Passes the words when they stand here in a row. */
export function accept(cursor: Cursor, ...words: readonly string[]): boolean {
  if (!isAhead(cursor, ...words)) return false;
  cursor.at += words.length;
  return true;
}

/** Passes one of the words; undefined when none stands here. */
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

/** What stands here instead of what was expected. */
export function unexpected(cursor: Cursor, expected: string): DdlError {
  const { code, at, offset, text } = cursor;
  const token = code[at];
  if (token === undefined)
    return new DdlError(`The statement ends where ${expected} is expected.`, offset + text.length);
  if (token.unterminated)
    return new DdlError('A quote begins here that has no end.', offset + token.start);
  const found = text.slice(token.start, token.end);
  return new DdlError(
    `${shortened(found)} stands where ${expected} is expected.`,
    offset + token.start,
  );
}

const longestShown = 40;

function shortened(found: string): string {
  return `"${found.length > longestShown ? `${found.slice(0, longestShown)}…` : found}"`;
}

/** Nothing is passed over behind what has been read. */
export function expectEnd(cursor: Cursor): void {
  if (!isAtEnd(cursor)) throw unexpected(cursor, 'the end of the statement');
}

export function takeToken(cursor: Cursor, expected: string): CodeToken {
  const token = cursor.code[cursor.at];
  if (token === undefined || token.unterminated) throw unexpected(cursor, expected);
  cursor.at += 1;
  return token;
}

/** A name in whatever quotes; some dialects take strings for one. */
export function takeName(cursor: Cursor, what = 'a name'): string {
  const token = cursor.code[cursor.at];
  const isName =
    token?.kind === 'word' || token?.kind === 'quoted-name' || token?.kind === 'string';
  if (token === undefined || !isName) throw unexpected(cursor, what);
  takeToken(cursor, what);
  return nameOf(cursor, token);
}

function nameOf({ text, lexical }: Cursor, token: CodeToken): string {
  const written = text.slice(token.start, token.end);
  if (token.kind !== 'string') return readName(written, lexical);
  const literal = readString(written, lexical);
  return literal?.kind === 'text' ? literal.value : written;
}

/** `a`, `b.a`, `c.b.a`: the parts in the order of the text. */
export function takeQualifiedName(cursor: Cursor, what = 'a name'): readonly string[] {
  const parts = [takeName(cursor, what)];
  while (accept(cursor, '.')) {
    // T-SQL leaves a part out: db..table.
    if (wordAt(cursor) !== '.') parts.push(takeName(cursor, what));
  }
  return parts;
}

export function takeText(cursor: Cursor): string {
  if (cursor.code[cursor.at]?.kind !== 'string') throw unexpected(cursor, 'a text');
  return takeName(cursor, 'a text');
}

export function takeNumber(cursor: Cursor): number {
  const token = cursor.code[cursor.at];
  if (token?.kind !== 'number') throw unexpected(cursor, 'a number');
  cursor.at += 1;
  return Number(cursor.text.slice(token.start, token.end));
}

/** The place behind the token at `from`, or behind the group that it opens. */
export function behind({ code }: Cursor, from: number): number {
  if (code[from]?.word !== '(') return from + 1;
  let depth = 0;
  for (let i = from; i < code.length; i += 1) {
    if (code[i]?.word === '(') depth += 1;
    if (code[i]?.word === ')') depth -= 1;
    if (depth === 0) return i + 1;
  }
  return code.length;
}

/** The text of a group in parentheses, without them. */
export function takeGroup(cursor: Cursor, what = '"("'): string {
  if (wordAt(cursor) !== '(') throw unexpected(cursor, what);
  const end = behind(cursor, cursor.at);
  if (cursor.code[end - 1]?.word !== ')')
    throw new DdlError('A parenthesis opens here that has no end.', placeOf(cursor));
  const text = textBetween(cursor, cursor.at + 1, end - 1);
  cursor.at = end;
  return text;
}

/** Passes a token, or a group whole. */
export function skip(cursor: Cursor): void {
  cursor.at = Math.min(behind(cursor, cursor.at), cursor.code.length);
}

export function textBetween({ text, code }: Cursor, from: number, to: number): string {
  const first = code[from];
  const last = code[to - 1];
  return first === undefined || last === undefined || to <= from
    ? ''
    : text.slice(first.start, last.end);
}

/** Where the cursor is in the file. */
export function placeOf({ code, at, offset, text }: Cursor): number {
  return offset + (code[at]?.start ?? text.length);
}

/** `( item, item, … )` */
export function takeList<T>(cursor: Cursor, takeItem: (cursor: Cursor) => T): readonly T[] {
  expect(cursor, '(');
  const items = [takeItem(cursor)];
  while (accept(cursor, ',')) items.push(takeItem(cursor));
  expect(cursor, ')');
  return items;
}
