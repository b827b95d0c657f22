/** Parses the clauses around the query of CREATE VIEW. */
import { acceptOne, expect, textBetween } from '../../../sql/ddl/cursor.ts';
import { parseIndexParts } from '../../../sql/ddl/read-keys.ts';
import type { Cursor } from '../../../sql/ddl/cursor.ts';

export function parseColumnList(cursor: Cursor): string {
  const from = cursor.at;
  parseIndexParts(cursor);
  return textBetween(cursor, from, cursor.at);
}

export function parseCheckOption(cursor: Cursor): string {
  expect(cursor, 'WITH');
  const check = acceptOne(cursor, ['LOCAL', 'CASCADED']) ?? 'CASCADED';
  expect(cursor, 'CHECK', 'OPTION');
  return check;
}

/** The end of the query, before WITH CHECK OPTION. */
export function selectEnd({ code }: Cursor): number {
  const end = code.length;
  if (code[end - 1]?.word !== 'OPTION' || code[end - 2]?.word !== 'CHECK') return end;
  return code[end - 3]?.word === 'WITH' ? end - 3 : end - 4;
}
