/** The statements that create triggers, routines and events, as this database runs them. */
import { codeOf } from '../../../portable/lexer/code.ts';
import { mysqlLexicalRules } from './lexical-rules.ts';
import type { CodeToken } from '../../../portable/lexer/code.ts';

/** Without the account whose privileges the program would have. */
export function withoutDefiner(text: string): string {
  const code = codeOf(text, mysqlLexicalRules);
  return withoutRanges(text, definerOf(code));
}

/**
 * Without definer, OR REPLACE and IF NOT EXISTS, and outside of versioned comments if a dump tool has
 * put the statement into them.
 */
export function bareProgram(text: string): string {
  const code = codeOf(text, mysqlLexicalRules);
  const inComments = code[0]?.kind === 'versioned-open';
  const comments = inComments
    ? code.filter(({ kind }) => kind.startsWith('versioned')).map(({ start, end }) => ({ start, end })) // prettier-ignore
    : [];
  const plain = code.filter(({ kind }) => !kind.startsWith('versioned'));
  const head = plain.slice(0, headLength);
  const ranges = [
    ...comments,
    ...definerOf(plain),
    ...phrase(head, ['OR', 'REPLACE']),
    ...phrase(head, ['IF', 'NOT', 'EXISTS']),
  ];
  return withoutRanges(
    text,
    ranges.toSorted((a, b) => a.start - b.start),
  ).trim();
}

/** The name of a program is among the first tokens: `CREATE OR REPLACE DEFINER = 'a'@'b' AGGREGATE FUNCTION IF NOT EXISTS name`. */
const headLength = 16;

interface Range {
  readonly start: number;
  readonly end: number;
}

function phrase(code: readonly CodeToken[], words: readonly string[]): readonly Range[] {
  const at = code.findIndex((_, i) => words.every((word, j) => code[i + j]?.word === word));
  return at === -1 ? [] : [{ start: code[at]!.start, end: code[at + words.length - 1]!.end }];
}

const programKinds: ReadonlySet<string> = new Set([
  'TRIGGER',
  'FUNCTION',
  'PROCEDURE',
  'EVENT',
  'AGGREGATE',
]);

/** From DEFINER to the kind of the program. */
function definerOf(code: readonly CodeToken[]): readonly Range[] {
  const plain = code.filter(({ kind }) => !kind.startsWith('versioned'));
  const from = plain.findIndex(({ word }, i) => word === 'DEFINER' && i < headLength);
  const kind = plain.findIndex(({ word }, i) => i > from && programKinds.has(word));
  const firstKind = plain.findIndex(({ word }) => programKinds.has(word));
  if (from === -1 || kind !== firstKind) return [];
  return [{ start: plain[from]!.start, end: plain[kind - 1]!.end }];
}

/** The ranges may overlap. */
function withoutRanges(text: string, ranges: readonly Range[]): string {
  let rest = '';
  let at = 0;
  for (const { start, end } of ranges) {
    rest += text.slice(at, Math.max(at, start));
    at = Math.max(at, end);
    // A blank or the next token follows.
    while (text[at] === ' ' && /\s$/.test(rest)) at += 1;
  }
  return rest + text.slice(at);
}
