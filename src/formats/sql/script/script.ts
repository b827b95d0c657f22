/**
 * A script that is read as a stream. A unit (the head of a statement, or a row) is read if the text
 * contains all of it, otherwise it is read again when there is more text. Characters of the text are
 * bytes (Latin-1), so that binary strings are unchanged. Strings are decoded where they are used.
 */
import { StudioError } from '../../../model/errors.ts';
import { isSkippedComment, readToken, startLexer } from '../../../portable/lexer/lexer.ts';
import { matchEnd } from '../../../portable/lexer/token.ts';
import { positionCounter } from '../../../portable/lexer/position.ts';
import type { VirtualTable } from './virtual-table.ts';
import type { DataScriptRules } from '../../../sql/data-script.ts';
import type { Lexer, LexicalRules, Token } from '../../../portable/lexer/lexer.ts';
import type { ScriptFiles } from './script-files.ts';
import type { ScriptVariables } from './script-variable.ts';

export interface Script {
  /** The name of the file, for messages. */
  name: string;
  readonly lexer: Lexer;
  /** The script ends with the current text. */
  isLast: boolean;
  /** Line of the first character of the text. */
  firstLine: number;
  /** The last offset whose line was computed, to continue from there. */
  counted: { readonly at: number; readonly line: number };
  readonly dataScript: DataScriptRules;
  readonly events: ScriptEvents;
  /** The files that the script can name. Undefined for a script without an archive. */
  readonly files: ScriptFiles | undefined;
  readonly variables: ScriptVariables;
  /** The variables of the client, `:setvar` of sqlcmd, by name in lower case. */
  readonly clientVariables: Map<string, string>;
  /** Those that rows of SQLite's schema have defined. */
  readonly virtualTables: VirtualTable[];
  /** The time of the import, the value of CURRENT_TIMESTAMP and similar functions. */
  readonly now: Date;
  /** A token that was peeked at, and the state of the lexer before it. */
  peeked: { readonly token: ScriptToken | undefined; readonly before: Lexer } | undefined;
}

export interface ScriptEvents {
  /** Called for a string without a prefix that contains a backslash which dialects read differently. */
  readonly onBackslash: (script: Script, token: ScriptToken) => void;
  /** Called for a versioned comment that the server skips, once or more often. */
  readonly onSkippedComment: (script: Script, token: Token) => void;
}

/** A token with its text in upper case; `word` is empty for quoted names, strings and numbers. */
export interface ScriptToken extends Token {
  readonly word: string;
}

/** Thrown if the text ends within a unit. */
export class IncompleteUnit extends Error {}

/** A token this close to the end of the text may become a different one with more text. */
export const lookaheadMargin = 160;

export interface ScriptRules {
  readonly lexical: LexicalRules;
  readonly dataScript: DataScriptRules;
  readonly files: ScriptFiles | undefined;
  readonly now: Date;
}

export function openScript(
  name: string,
  { lexical, dataScript, files, now }: ScriptRules,
  events: ScriptEvents,
): Script {
  return {
    name,
    dataScript,
    events,
    files,
    variables: new Map(),
    clientVariables: new Map(),
    virtualTables: [],
    now,
    lexer: startLexer('', lexical),
    isLast: false,
    firstLine: 1,
    counted: { at: 0, line: 1 },
    peeked: undefined,
  };
}

/** Appends text, and drops what has been read. */
export function appendText(script: Script, more: string): void {
  const { lexer } = script;
  script.firstLine = lineOf(script, lexer.at);
  script.counted = { at: 0, line: script.firstLine };
  lexer.text = lexer.text.slice(lexer.at) + more;
  lexer.at = 0;
  // A variable may begin in the text before, of which the last characters are not read yet.
  replaceVariables(script, lexer.text.length - more.length - lookaheadMargin);
}

/** Replaces `$(name)` in the text from an offset on, as sqlcmd does before the server sees it. */
export function replaceVariables({ lexer, clientVariables }: Script, from: number): void {
  if (clientVariables.size === 0) return;
  const start = Math.max(from, lexer.at);
  const replaced = lexer.text
    .slice(start)
    .replaceAll(
      /\$\(([\w-]+)\)/g,
      (whole, name: string) => clientVariables.get(name.toLowerCase()) ?? whole,
    );
  lexer.text = lexer.text.slice(0, start) + replaced;
}

/** Begins the text of another file, or goes on with that of an earlier one. */
export function beginText(
  script: Script,
  { name, firstLine }: Pick<Script, 'name' | 'firstLine'>,
): void {
  Object.assign(script.lexer, { text: '', at: 0, atLineStart: true });
  Object.assign(script, { name, firstLine, counted: { at: 0, line: firstLine } });
}

export function lineOf(script: Script, offset: number): number {
  const { lexer, firstLine, counted } = script;
  const from = counted.at <= offset ? counted : { at: 0, line: firstLine };
  let { line } = from;
  let at = lexer.text.indexOf('\n', from.at);
  for (; at !== -1 && at < offset; at = lexer.text.indexOf('\n', at + 1)) line++;
  script.counted = { at: offset, line };
  return line;
}

/** Reads a unit. If it is incomplete, restores the lexer and returns false. */
export function readUnit(script: Script, read: () => void): boolean {
  const before = { ...script.lexer };
  try {
    read();
    unreadPeeked(script);
    return true;
  } catch (error) {
    if (!(error instanceof IncompleteUnit)) throw error;
    script.peeked = undefined;
    Object.assign(script.lexer, before);
    return false;
  }
}

/** Returns a peeked token to the lexer. */
export function unreadPeeked(script: Script): void {
  if (script.peeked !== undefined) Object.assign(script.lexer, script.peeked.before);
  script.peeked = undefined;
}

const ignoredKinds: ReadonlySet<string> = new Set([
  'space',
  'comment',
  'hint',
  'versioned-open',
  'versioned-close',
]);
const kindsWithWord: ReadonlySet<string> = new Set([
  'word',
  'operator',
  'punctuation',
  'delimiter',
]);

/** Reads the next token of code; undefined at the end of the script. */
export function nextToken(script: Script): ScriptToken | undefined {
  const { peeked } = script;
  if (peeked === undefined) return lexToken(script);
  script.peeked = undefined;
  return peeked.token;
}

function lexToken(script: Script): ScriptToken | undefined {
  const { lexer, isLast } = script;
  const { length } = lexer.text;
  while (lexer.at < length) {
    const token = asDelimiter(lexer, readToken(lexer));
    if (!isLast && token.end > length - lookaheadMargin) throw new IncompleteUnit();
    if (isLast && token.kind === 'comment' && token.unterminated === true)
      throw syntaxError(script, token, 'this comment is not closed');
    if (!ignoredKinds.has(token.kind)) return { ...token, word: wordOf(lexer.text, token) };
    if (isSkippedComment(lexer.text, token, lexer.rules))
      script.events.onSkippedComment(script, token);
  }
  if (isLast) return undefined;
  throw new IncompleteUnit();
}

/** A `;` ends a statement also where DELIMITER has set another delimiter: the client sends both statements together. */
function asDelimiter({ text, inVersioned }: Lexer, token: Token): Token {
  const isEnd = token.kind === 'punctuation' && text[token.start] === ';' && !inVersioned;
  return isEnd ? { ...token, kind: 'delimiter' } : token;
}

/**
 * Skips lines of dashes, such as `-----`. The mysql client takes `--` at the beginning of a line for a
 * comment without a blank behind it, if no statement has begun.
 */
export function skipDashedLines({ lexer, isLast }: Script): void {
  if (!lexer.rules.dashesNeedBlank) return;
  const { text } = lexer;
  let [at, { atLineStart }] = [lexer.at, lexer];
  while (at < text.length) {
    const space = matchEnd(blanks, text, at);
    atLineStart ||= space !== undefined && text.slice(at, space).includes('\n');
    at = space ?? at;
    const isDashed = atLineStart && text.startsWith('--', at);
    const end = matchEnd(isDashed ? restOfLine : commentLine, text, at);
    if (end === undefined) return;
    if (end === text.length && !isLast) throw new IncompleteUnit();
    at = end;
    atLineStart = false;
    if (isDashed) Object.assign(lexer, { at, atLineStart });
  }
}

const blanks = /\s+/y;
const restOfLine = /[^\n]+/y;
const commentLine = /(?:#|--(?=[\0-\x20\x7f]|$))[^\n]*/y;

function wordOf(text: string, { kind, start, end }: Token): string {
  return kindsWithWord.has(kind) ? text.slice(start, end).toUpperCase() : '';
}

/** Returns the next token without reading it. */
export function peekToken(script: Script): ScriptToken | undefined {
  if (script.peeked === undefined) {
    const before = { ...script.lexer };
    script.peeked = { token: lexToken(script), before };
  }
  return script.peeked.token;
}

/** Reads the next token if it is this word. */
export function acceptWord(script: Script, word: string): boolean {
  if (peekToken(script)?.word !== word) return false;
  nextToken(script);
  return true;
}

export function expectWord(script: Script, word: string): void {
  const token = nextToken(script);
  if (token?.word !== word) throw syntaxError(script, token, `expected "${word}"`);
}

export function textOf({ lexer }: Script, { start, end }: Token): string {
  return lexer.text.slice(start, end);
}

/** An error with the position of a token, or of the end of the text. */
export function syntaxError(
  script: Script,
  token: Pick<Token, 'start' | 'end'> | undefined,
  reason: string,
): StudioError {
  const { text } = script.lexer;
  const found =
    token === undefined
      ? 'the file ends here'
      : `found "${text.slice(token.start, token.end).slice(0, 60)}"`;
  return errorAt(script, token?.start ?? text.length, `${reason}; ${found}`);
}

/** The error of a position whose text does not say more. */
export function errorAt(script: Script, at: number, reason: string): StudioError {
  const { column } = positionCounter(script.lexer.text)(at);
  const line = lineOf(script, at);
  return new StudioError('parse_failed', `${script.name}, line ${line}: ${reason}.`, {
    line,
    column,
  });
}
