/** Finds what the stored body of a trigger, routine or view writes to and calls, by its text. */
import { codeOf } from '../../../portable/lexer/code.ts';
import { words } from '../../../portable/lexer/words.ts';
import { mysqlLexicalRules } from '../language/lexical-rules.ts';
import type { CodeToken } from '../../../portable/lexer/code.ts';

/** A name in lower case; without a schema it belongs to the schema of the body. */
export interface BodyName {
  readonly schema: string | undefined;
  readonly name: string;
}

export interface BodyWrites {
  /** Tables and views that statements change; for statements on several tables, all of them. */
  readonly written: readonly BodyName[];
  readonly called: readonly BodyName[];
  /** All names in the text, of which any may be a view. */
  readonly mentioned: readonly BodyName[];
}

export function readBodyWrites(text: string): BodyWrites {
  const body = { text, code: codeOf(text, mysqlLexicalRules) };
  const nameIndexes = body.code.map((_, i) => i).filter((i) => isName(body, i));
  return {
    written: nameIndexes.flatMap((i) => namesWrittenAt(body, i)),
    called: nameIndexes.filter((i) => isCalled(body, i)).map((i) => nameEndingAt(body, i)),
    mentioned: nameIndexes.map((i) => nameEndingAt(body, i)),
  };
}

interface Body {
  readonly text: string;
  readonly code: readonly CodeToken[];
}

const modifiers: ReadonlySet<string> = new Set(
  words('LOW_PRIORITY HIGH_PRIORITY DELAYED QUICK IGNORE INTO FROM'),
);

/** Each writing statement begins with its keyword, since bodies that this module reads cannot run dynamic SQL. */
function namesWrittenAt(body: Body, i: number): readonly BodyName[] {
  const { code } = body;
  const before = code[i - 1]?.word ?? '';
  switch (code[i]?.word) {
    case 'INSERT':
    case 'REPLACE':
      return code[i + 1]?.word === '(' ? [] : namesBetween(body, i, 'one');
    case 'UPDATE':
      return before === 'FOR' || before === 'KEY' ? [] : namesBetween(body, i, 'SET');
    case 'DELETE':
      return namesBetween(body, i, 'WHERE');
    default:
      return [];
  }
}

/** The first name after the modifiers, or all names up to a keyword. */
function namesBetween(body: Body, start: number, end: 'one' | 'SET' | 'WHERE'): BodyName[] {
  const { code } = body;
  const names: BodyName[] = [];
  for (let i = start + 1; i < code.length; i += 1) {
    const { word = '' } = code[i] ?? {};
    if (word === ';' || word === end) break;
    if (!isName(body, i) || modifiers.has(word) || code[i + 1]?.word === '.') continue;
    names.push(nameEndingAt(body, i));
    if (end === 'one') break;
  }
  return names;
}

/** With ANSI_QUOTES a string in double quotes is a name. */
function isName({ text, code }: Body, i: number): boolean {
  const token = code[i];
  if (token === undefined) return false;
  const isQuoted = token.kind === 'string' && text[token.start] === '"';
  return token.kind === 'word' || token.kind === 'quoted-name' || isQuoted;
}

/** CALL may omit the parentheses. */
function isCalled({ code }: Body, i: number): boolean {
  const first = code[i - 1]?.word === '.' ? i - 2 : i;
  return code[i + 1]?.word === '(' || code[first - 1]?.word === 'CALL';
}

function nameEndingAt(body: Body, i: number): BodyName {
  const isQualified = body.code[i - 1]?.word === '.' && isName(body, i - 2);
  return {
    schema: isQualified ? nameAt(body, i - 2) : undefined,
    name: nameAt(body, i),
  };
}

function nameAt({ text, code }: Body, i: number): string {
  const { kind, start = 0, end = 0 } = code[i] ?? {};
  const tokenText = text.slice(start, end);
  if (kind === 'word') return tokenText.toLowerCase();
  const quote = tokenText[0] ?? '';
  return tokenText
    .slice(1, -1)
    .replaceAll(quote + quote, quote)
    .toLowerCase();
}
