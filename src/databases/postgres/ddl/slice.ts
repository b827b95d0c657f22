/** Extracts the source text of expressions. Parse trees have only start positions, so the tokens give the end. */
import { indexAfter, textBetween } from '../../../sql/ddl/cursor.ts';
import type { Cursor } from '../../../sql/ddl/cursor.ts';

/** The text from a token to the next clause, comma or closing parenthesis. */
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

/** The content of the parentheses after the next occurrence of a word. */
export function groupAfter(cursor: Cursor, from: number, word: string): string {
  const open = cursor.code.findIndex(
    (token, i) => i > from && token.word === '(' && cursor.code[i - 1]?.word === word,
  );
  return open === -1 ? '' : textBetween(cursor, open + 1, indexAfter(cursor, open) - 1);
}

/** The items of the parenthesized list at a token, as token ranges. */
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
