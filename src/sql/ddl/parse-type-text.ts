import { commonType } from '../common-type.ts';
import { DdlError, isAtEnd, openCursor } from './cursor.ts';
import type { ColumnType } from '../../model/schema.ts';
import type { LexicalRules } from '../../portable/lexer/lexical-rules.ts';
import type { Cursor } from './cursor.ts';
import type { ParsedType } from './ddl-rules.ts';

/** Some dialects give these types an implied length within DDL. A type name on its own has no length. */
const typesWithImpliedLength =
  /^\s*(?:national\s+)?(?:n?varchar2?|character\s+varying|char\s+varying|varbinary)\s*$/i;

/** Parses a native type; falls back to type names that are common to many databases. */
export function parseTypeText(
  text: string,
  lexical: LexicalRules,
  parseOwn: (cursor: Cursor) => ParsedType,
): ColumnType {
  const element = /^(.*?)\s*\[\d*\]$/s.exec(text.trim())?.[1];
  if (element !== undefined)
    return { kind: 'array', of: parseTypeText(element, lexical, parseOwn) };
  const dialectType = typesWithImpliedLength.test(text)
    ? undefined
    : wholeType(text, lexical, parseOwn);
  return dialectType ?? commonType(text) ?? { kind: 'other', name: text };
}

/** Whether the whole text is a type of the dialect. */
export function isNativeType(
  text: string,
  lexical: LexicalRules,
  parseOwn: (cursor: Cursor) => ParsedType,
): boolean {
  return wholeType(text, lexical, parseOwn) !== undefined;
}

function wholeType(
  text: string,
  lexical: LexicalRules,
  parseOwn: (cursor: Cursor) => ParsedType,
): ColumnType | undefined {
  const cursor = openCursor({ text, start: 0 }, lexical);
  try {
    const { type } = parseOwn(cursor);
    return isAtEnd(cursor) ? type : undefined;
  } catch (error) {
    if (!(error instanceof DdlError)) throw error;
    return undefined;
  }
}
