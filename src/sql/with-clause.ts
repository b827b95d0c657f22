import type { CodeToken } from '../portable/lexer/code.ts';

interface Groups {
  readonly code: readonly CodeToken[];
  /** For each opening parenthesis in `code`, the index after its group. */
  readonly groupEnds: readonly number[];
}

const mainVerbs = new Set([
  'SELECT',
  'VALUES',
  'TABLE',
  'INSERT',
  'UPDATE',
  'DELETE',
  'MERGE',
  'REPLACE',
]);

/** After these words, a word in a SEARCH or CYCLE clause is a column. */
const beforeColumns = new Set(['SET', 'BY', 'USING', 'TO', 'DEFAULT', 'CYCLE', ',']);

/**
 * The index of the statement that a WITH belongs to, after the last
 * `name (columns) AS MATERIALIZED (query) SEARCH … CYCLE …`.
 */
export function indexAfterWith({ code, groupEnds }: Groups, withAt: number): number {
  let i = withAt + 1;
  let inTail = false;
  while (i < code.length && code[i]?.word !== ')') {
    const before = code[i - 1]?.word ?? '';
    if (code[i]?.word === '(') {
      const afterGroup = groupEnds[i] ?? code.length;
      const word = code[afterGroup]?.word ?? '';
      const isBody = before === 'AS' || before === 'MATERIALIZED';
      if (inTail && !isBody && word !== 'AS') return i;
      inTail = isBody && (word === 'SEARCH' || word === 'CYCLE');
      if (!inTail && word !== ',' && (isBody || word !== 'AS')) return afterGroup;
      i = afterGroup;
    } else if (inTail && mainVerbs.has(code[i]?.word ?? '') && !beforeColumns.has(before)) return i;
    else i += 1;
  }
  return i;
}
