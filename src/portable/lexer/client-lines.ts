import { tokenEndingAt, tokenOrUnterminated, matchEnd } from './token.ts';
import type { ClientLine } from './lexical-rules.ts';
import type { TokenWithoutStart, Token } from './token.ts';

/** What was last read of `COPY … FROM stdin;` and its rows. After `stdin`, rows follow the delimiter. */
export type CopyState = 'start' | 'other' | 'verb' | 'from' | 'stdin' | 'line-end' | 'rows';

const go = /GO(?:[ \t]+\d+)?[ \t]*(?:;|--[^\n]*)?(?=\r?\n|$)/iy;
/** Commands of sqlcmd: `:setvar name "value"`, `!!dir`. */
const sqlcmd =
  /(?::(?:connect|ed|error|exit|help|list|listvar|on[ \t]+error|out|perftrace|quit|r|reset|serverlist|setvar|xml)\b|!!)[^\r\n]*/iy;
const delimiterLine = /DELIMITER[ \t]+(\S+)[^\r\n]*/iy;
const restOfLine = /[^\r\n]*/y;
const blankLineEnd = /[ \t]*\r?\n/y;

export interface ClientLineFound extends TokenWithoutStart {
  /** The new delimiter, when the line is a DELIMITER command. */
  readonly delimiter?: string;
}

/** Reads a line for the client program that begins at offset `at`. */
export function readClientLine(
  text: string,
  at: number,
  lines: readonly ClientLine[],
): ClientLineFound | undefined {
  if (text[at] === '\\' && lines.includes('backslash')) return metaLine(restOfLine, text, at);
  if (lines.includes('GO')) {
    const isCommand = lines.includes('sqlcmd') && /[:!]/.test(text[at] ?? '');
    return metaLine(isCommand ? sqlcmd : go, text, at);
  }
  if (!lines.includes('DELIMITER')) return undefined;
  const line = metaLine(delimiterLine, text, at);
  return line && { ...line, delimiter: delimiterOf(text.slice(at, line.end)) };
}

function metaLine(pattern: RegExp, text: string, at: number): TokenWithoutStart | undefined {
  const end = matchEnd(pattern, text, at);
  return end === undefined ? undefined : tokenEndingAt('meta-line', end);
}

function delimiterOf(line: string): string {
  return line.split(/\s+/, 2)[1] ?? ';';
}

const copySteps: Partial<Record<CopyState, Readonly<Record<string, CopyState>>>> = {
  start: { COPY: 'verb' },
  verb: { FROM: 'from' },
  from: { STDIN: 'stdin' },
};

/** The state after a token of code. */
export function nextCopyState(state: CopyState, token: Token, text: string): CopyState {
  if (token.kind === 'delimiter') {
    const hasRows = state === 'stdin' && matchEnd(blankLineEnd, text, token.end) !== undefined;
    return hasRows ? 'line-end' : 'start';
  }
  const steps = copySteps[state];
  if (steps === undefined) return state;
  const word = token.end - token.start < 8 ? text.slice(token.start, token.end).toUpperCase() : '';
  return steps[word] ?? (state === 'start' ? 'other' : 'verb');
}

/** Reads the rest of COPY's own line, or its rows. */
export function readCopy(
  text: string,
  at: number,
  state: CopyState,
): TokenWithoutStart | undefined {
  if (state === 'line-end')
    return tokenEndingAt('space', matchEnd(blankLineEnd, text, at) ?? text.length);
  if (state !== 'rows') return undefined;
  const end = endOfRows(text, at);
  return end === at ? undefined : tokenOrUnterminated('copy-data', end, text);
}

const endOfDataLine = /\\\.[ \t]*(?=\r?\n|$)/y;

/** The offset of the line `\.`, which ends the rows. */
function endOfRows(text: string, from: number): number | undefined {
  if (matchEnd(endOfDataLine, text, from) !== undefined) return from;
  let lineBreak = text.indexOf('\n\\.', from);
  while (lineBreak >= 0) {
    if (matchEnd(endOfDataLine, text, lineBreak + 1) !== undefined) return lineBreak + 1;
    lineBreak = text.indexOf('\n\\.', lineBreak + 1);
  }
  return undefined;
}
