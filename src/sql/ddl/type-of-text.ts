import { usualType } from '../usual-type.ts';
import { DdlError, isAtEnd, openCursor } from './cursor.ts';
import type { ColumnType } from '../../model/schema.ts';
import type { LexicalRules } from '../lexical-rules.ts';
import type { Cursor } from './cursor.ts';
import type { TypeReading } from './ddl-rules.ts';

/** Of a type that is told alone, a length that goes without saying is none. */
const withoutLength =
  /^\s*(?:national\s+)?(?:n?varchar2?|character\s+varying|char\s+varying|varbinary)\s*$/i;

/** A native type by its text; what the dialect does not know may still be usual. */
export function typeOfText(
  text: string,
  lexical: LexicalRules,
  take: (cursor: Cursor) => TypeReading,
): ColumnType {
  const element = /^(.*?)\s*\[\d*\]$/s.exec(text.trim())?.[1];
  if (element !== undefined) return { kind: 'array', of: typeOfText(element, lexical, take) };
  const own = withoutLength.test(text) ? undefined : wholeType(text, lexical, take);
  return own ?? usualType(text) ?? { kind: 'other', name: text };
}

/** Whether the whole of a text is a type as the dialect itself takes it. */
export function isTypeOf(
  text: string,
  lexical: LexicalRules,
  take: (cursor: Cursor) => TypeReading,
): boolean {
  return wholeType(text, lexical, take) !== undefined;
}

function wholeType(
  text: string,
  lexical: LexicalRules,
  take: (cursor: Cursor) => TypeReading,
): ColumnType | undefined {
  const cursor = openCursor({ text, start: 0 }, lexical);
  try {
    const { type } = take(cursor);
    return isAtEnd(cursor) ? type : undefined;
  } catch (error) {
    if (!(error instanceof DdlError)) throw error;
    return undefined;
  }
}
