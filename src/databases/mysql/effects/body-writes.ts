/** What the stored body of a trigger, a routine or a view writes to and calls, by its text. */
import { codeOf } from '../../../sql/code.ts';
import { words } from '../../../sql/words.ts';
import { mysqlLexicalRules } from '../language/lexical-rules.ts';
import type { CodeToken } from '../../../sql/code.ts';

/** In lower case; without a schema it is of the body's own. */
export interface BodyName {
  readonly schema: string | undefined;
  readonly name: string;
}

export interface BodyWrites {
  /** Tables or views that a statement changes, and of several tables in one statement each. */
  readonly written: readonly BodyName[];
  readonly called: readonly BodyName[];
  /** All names: a view may be among them. */
  readonly mentioned: readonly BodyName[];
}

export function readBodyWrites(text: string): BodyWrites {
  const body = { text, code: codeOf(text, mysqlLexicalRules) };
  const places = body.code.map((_, i) => i).filter((i) => isName(body, i));
  return {
    written: places.flatMap((i) => writtenBy(body, i)),
    called: places.filter((i) => isCalled(body, i)).map((i) => nameEndingAt(body, i)),
    mentioned: places.map((i) => nameEndingAt(body, i)),
  };
}

interface Body {
  readonly text: string;
  readonly code: readonly CodeToken[];
}

const modifiers: ReadonlySet<string> = new Set(
  words('LOW_PRIORITY HIGH_PRIORITY DELAYED QUICK IGNORE INTO FROM'),
);

/** A body cannot build statements of texts: each statement that changes rows begins with its word. */
function writtenBy(body: Body, i: number): readonly BodyName[] {
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

/** The first name behind the modifiers, or all names up to a word. */
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

/** With ANSI_QUOTES a name is a text in double quotes. */
function isName({ text, code }: Body, i: number): boolean {
  const token = code[i];
  if (token === undefined) return false;
  const isQuoted = token.kind === 'string' && text[token.start] === '"';
  return token.kind === 'word' || token.kind === 'quoted-name' || isQuoted;
}

/** CALL takes a name without parentheses, too. */
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
  const written = text.slice(start, end);
  if (kind === 'word') return written.toLowerCase();
  const quote = written[0] ?? '';
  return written
    .slice(1, -1)
    .replaceAll(quote + quote, quote)
    .toLowerCase();
}
