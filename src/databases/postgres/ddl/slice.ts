/** Expressions as the file spells them: trees tell where something begins, tokens where it ends. */
import { indexAfter, textBetween } from '../../../sql/ddl/cursor.ts';
import type { Cursor } from '../../../sql/ddl/cursor.ts';

/** From a token up to where a clause begins, or a list goes on or ends. */
export function expressionUntil(cursor: Cursor, from: number, clauses: readonly number[]): string {
  let at = from;
  let brackets = 0;
  while (at < cursor.code.length) {
    const { word } = cursor.code[at]!;
    if (word === '[') brackets += 1;
    if (word === ']') brackets -= 1;
    const isEnd = at > from && clauses.includes(at);
    if (isEnd || (brackets === 0 && [',', ')', ';'].includes(word))) break;
    at = indexAfter(cursor, at);
  }
  return textBetween(cursor, from, at);
}

/** The content of the parentheses behind a word, which is looked for from a token on. */
export function groupBehind(cursor: Cursor, from: number, word: string): string {
  const open = cursor.code.findIndex(
    (token, i) => i > from && token.word === '(' && cursor.code[i - 1]?.word === word,
  );
  return open === -1 ? '' : textBetween(cursor, open + 1, indexAfter(cursor, open) - 1);
}

/** The members of the list in the parentheses at a token, as token ranges. */
export function listItems(cursor: Cursor, open: number): readonly (readonly [number, number])[] {
  const close = indexAfter(cursor, open) - 1;
  const items: (readonly [number, number])[] = [];
  let start = open + 1;
  for (let at = start; at < close; at = indexAfter(cursor, at)) {
    if (cursor.code[at]?.word !== ',') continue;
    items.push([start, at]);
    start = at + 1;
  }
  return start < close ? [...items, [start, close]] : items;
}
