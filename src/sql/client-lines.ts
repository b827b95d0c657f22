import { found, foundUntil, matchEnd } from './token.ts';
import type { ClientLine } from './lexical-rules.ts';
import type { Found, Token } from './token.ts';

/** How far the statement is on its way to `COPY … FROM stdin;`, and then to its rows. */
export type CopyState = 'start' | 'other' | 'verb' | 'from' | 'armed' | 'line-end' | 'rows';

const go = /GO(?:[ \t]+\d+)?[ \t]*(?:;|--[^\n]*)?(?=\r?\n|$)/iy;
const delimiterLine = /DELIMITER[ \t]+(\S+)[^\r\n]*/iy;
const restOfLine = /[^\r\n]*/y;
const blankLineEnd = /[ \t]*\r?\n/y;

export interface ClientLineFound extends Found {
  /** What a DELIMITER line makes the delimiter. */
  readonly delimiter?: string;
}

/** A line for the client that begins at `at`. */
export function readClientLine(
  text: string,
  at: number,
  lines: readonly ClientLine[],
): ClientLineFound | undefined {
  if (text[at] === '\\' && lines.includes('backslash')) return metaLine(restOfLine, text, at);
  if (lines.includes('GO')) return metaLine(go, text, at);
  if (!lines.includes('DELIMITER')) return undefined;
  const line = metaLine(delimiterLine, text, at);
  return line && { ...line, delimiter: delimiterOf(text.slice(at, line.end)) };
}

function metaLine(pattern: RegExp, text: string, at: number): Found | undefined {
  const end = matchEnd(pattern, text, at);
  return end === undefined ? undefined : found('meta-line', end);
}

function delimiterOf(line: string): string {
  return line.split(/\s+/, 2)[1] ?? ';';
}

const copySteps: Partial<Record<CopyState, Readonly<Record<string, CopyState>>>> = {
  start: { COPY: 'verb' },
  verb: { FROM: 'from' },
  from: { STDIN: 'armed' },
};

/** The state behind a token of code; COPY's first words decide it. */
export function followCopy(state: CopyState, token: Token, text: string): CopyState {
  if (token.kind === 'delimiter') {
    const hasRows = state === 'armed' && matchEnd(blankLineEnd, text, token.end) !== undefined;
    return hasRows ? 'line-end' : 'start';
  }
  const steps = copySteps[state];
  if (steps === undefined) return state;
  const word = token.end - token.start < 8 ? text.slice(token.start, token.end).toUpperCase() : '';
  return steps[word] ?? (state === 'start' ? 'other' : 'verb');
}

/** The rest of COPY's own line, or its rows. */
export function readCopy(text: string, at: number, state: CopyState): Found | undefined {
  if (state === 'line-end') return found('space', matchEnd(blankLineEnd, text, at) ?? text.length);
  if (state !== 'rows') return undefined;
  const end = endOfRows(text, at);
  return end === at ? undefined : foundUntil('copy-data', end, text);
}

const endMark = /\\\.[ \t]*(?=\r?\n|$)/y;

/** Where the line `\.` begins. */
function endOfRows(text: string, from: number): number | undefined {
  if (matchEnd(endMark, text, from) !== undefined) return from;
  let lineBreak = text.indexOf('\n\\.', from);
  while (lineBreak >= 0) {
    if (matchEnd(endMark, text, lineBreak + 1) !== undefined) return lineBreak + 1;
    lineBreak = text.indexOf('\n\\.', lineBreak + 1);
  }
  return undefined;
}
