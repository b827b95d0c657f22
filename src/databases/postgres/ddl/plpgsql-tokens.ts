/** Finds statements and blocks among the tokens of PL/pgSQL. */
import type { CodeToken } from '../../../portable/lexer/code.ts';

const beforeStatements: ReadonlySet<string> = new Set([';', 'BEGIN', 'THEN', 'ELSE', 'LOOP']);

/** Whether a statement of PL/pgSQL begins at the token. */
export function startsStatement(code: readonly CodeToken[], i: number): boolean {
  return i === 0 || beforeStatements.has(code[i - 1]?.word ?? '');
}

/** For each token, the number of blocks, conditions, loops, cases and parentheses that it is in. */
export function blockDepths(code: readonly CodeToken[]): readonly number[] {
  let depth = 0;
  return code.map(({ word }, i) => {
    const isAfterEnd = code[i - 1]?.word === 'END';
    if (word === ')' || word === 'END') depth -= 1;
    const tokenDepth = depth;
    const opensBlock = (word === 'IF' || word === 'BEGIN') && startsStatement(code, i);
    const opens = opensBlock || word === '(' || word === 'LOOP' || word === 'CASE';
    if (opens && !isAfterEnd) depth += 1;
    return tokenDepth;
  });
}

/** The words of each statement from token `from` to before token `to`. */
export function wordsAt(code: readonly CodeToken[], from: number, to: number): readonly string[] {
  const words = code.slice(from, to).map(({ word }) => word);
  return words
    .join(' ')
    .split(';')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}
