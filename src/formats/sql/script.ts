/**
 * A script that is read in parts: units (a statement's head, a row) are taken while they are whole
 * in the text at hand, else again when there is more. Characters stand for bytes, so that binary in
 * strings stays what it is; texts become UTF-8 where they are used.
 */
import { StudioError } from '../../model/errors.ts';
import { readToken, startLexer } from '../../sql/lexer.ts';
import { positionCounter } from '../../sql/position.ts';
import type { DataScript } from '../../sql/data-script.ts';
import type { Lexer, LexicalRules, Token } from '../../sql/lexer.ts';

export interface Script {
  readonly name: string;
  readonly lexer: Lexer;
  /** Nothing comes behind the text at hand. */
  isLast: boolean;
  /** Line of the text's first character. */
  firstLine: number;
  /** Up to where lines were counted. */
  counted: { readonly at: number; readonly line: number };
  readonly dataScript: DataScript;
  /** Called where a string without a prefix holds a backslash that dialects read differently. */
  readonly onBackslash: (script: Script, token: ScriptToken) => void;
  /** A token that was looked at and not taken, and the lexer before it. */
  peeked: { readonly token: ScriptToken | undefined; readonly before: Lexer } | undefined;
}

/** A token of code, with the word it is in capitals: empty for names in quotes, strings and numbers. */
export interface ScriptToken extends Token {
  readonly word: string;
}

/** Thrown where the text at hand ends before a unit does. */
export class IncompleteUnit extends Error {}

/** A token this near to the end may be another one when there is more. */
export const lookaheadMargin = 160;

export interface ScriptRules {
  readonly lexical: LexicalRules;
  readonly dataScript: DataScript;
}

export function openScript(
  name: string,
  { lexical, dataScript }: ScriptRules,
  onBackslash: Script['onBackslash'],
): Script {
  return {
    name,
    dataScript,
    onBackslash,
    lexer: startLexer('', lexical),
    isLast: false,
    firstLine: 1,
    counted: { at: 0, line: 1 },
    peeked: undefined,
  };
}

/** Puts text behind what is not used yet. */
export function appendText(script: Script, more: string): void {
  const { lexer } = script;
  script.firstLine = lineOf(script, lexer.at);
  script.counted = { at: 0, line: script.firstLine };
  lexer.text = lexer.text.slice(lexer.at) + more;
  lexer.at = 0;
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

/** Takes a unit; false, and nothing is taken, when it is not whole yet. */
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

/** Puts a token back that was only looked at. */
export function unreadPeeked(script: Script): void {
  if (script.peeked !== undefined) Object.assign(script.lexer, script.peeked.before);
  script.peeked = undefined;
}

const silent: ReadonlySet<string> = new Set([
  'space',
  'comment',
  'hint',
  'versioned-open',
  'versioned-close',
]);
const spelled: ReadonlySet<string> = new Set(['word', 'operator', 'punctuation', 'delimiter']);

/** The next token of code; undefined at the script's end. */
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
    const token = readToken(lexer);
    if (!isLast && token.end > length - lookaheadMargin) throw new IncompleteUnit();
    if (isLast && token.kind === 'comment' && token.unterminated === true)
      throw syntaxError(script, token, 'a comment begins that has no end');
    if (!silent.has(token.kind)) return { ...token, word: wordOf(lexer.text, token) };
  }
  if (isLast) return undefined;
  throw new IncompleteUnit();
}

function wordOf(text: string, { kind, start, end }: Token): string {
  return spelled.has(kind) ? text.slice(start, end).toUpperCase() : '';
}

/** The next token, which stays where it is. */
export function peekToken(script: Script): ScriptToken | undefined {
  if (script.peeked === undefined) {
    const before = { ...script.lexer };
    script.peeked = { token: lexToken(script), before };
  }
  return script.peeked.token;
}

/** Takes the next token if it is that word. */
export function acceptWord(script: Script, word: string): boolean {
  if (peekToken(script)?.word !== word) return false;
  nextToken(script);
  return true;
}

export function expectWord(script: Script, word: string): void {
  const token = nextToken(script);
  if (token?.word !== word) throw syntaxError(script, token, `"${word}" is expected`);
}

export function textOf({ lexer }: Script, { start, end }: Token): string {
  return lexer.text.slice(start, end);
}

/** Where the script cannot be read. */
export function syntaxError(
  script: Script,
  token: Pick<Token, 'start' | 'end'> | undefined,
  why: string,
): StudioError {
  const { text } = script.lexer;
  const at = token?.start ?? text.length;
  const { column } = positionCounter(text)(at);
  const line = lineOf(script, at);
  const found =
    token === undefined ? 'the file ends' : `"${text.slice(at, token.end).slice(0, 60)}" is not it`;
  return new StudioError('parse_failed', `${script.name}, line ${line}: ${why}; ${found}.`, {
    line,
    column,
  });
}
