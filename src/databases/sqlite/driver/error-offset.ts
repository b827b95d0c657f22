import { codeOf } from '../../../portable/lexer/code.ts';
import { findMention } from '../../../sql/find-mention.ts';
import { sqliteLexicalRules } from '../language/lexical-rules.ts';
import type { Connection } from './driver.ts';

const namePatterns: readonly RegExp[] = [
  /^no such (?:column|table|view|index|trigger|function|savepoint|collation sequence|module): "?(.+?)"?$/s,
  /^ambiguous column name: (.+)$/s,
  /^wrong number of arguments to function (.+?)\(\)$/s,
  /^misuse of (?:aggregate|window function|aggregate function):? (.+?)\(\)$/s,
  /has no column named (.+)$/s,
  /^table (.+) (?:already exists|may not be modified)$/s,
];

/** The offset of the token or the name that a message of SQLite is about; undefined for other messages. */
export function errorOffset(
  message: string,
  text: string,
  connection: Connection,
): number | undefined {
  const offset = syntaxErrorOffset(message, text, connection);
  if (offset !== undefined) return offset;
  const name = namePatterns.map((pattern) => pattern.exec(message)?.[1]).find(Boolean);
  return name === undefined ? undefined : findMention(name, { text, rules: sqliteLexicalRules });
}

/**
 * SQLite reports the unexpected token, but not its position. It is the first such token for which the
 * text up to it has a syntax error. Undefined for other errors.
 */
export function syntaxErrorOffset(
  message: string,
  text: string,
  connection: Connection,
): number | undefined {
  if (message === 'incomplete input') return text.trimEnd().length;
  const near =
    /^near "(.*)": syntax error$/s.exec(message)?.[1] ??
    /^unrecognized token: "(.*)"$/s.exec(message)?.[1];
  if (near === undefined) return undefined;
  const candidates = codeOf(text, sqliteLexicalRules).filter((token) =>
    text.slice(token.start).startsWith(near),
  );
  const unexpected = candidates.find((token) =>
    hasSyntaxError(text.slice(0, token.start + near.length), connection),
  );
  return (unexpected ?? candidates[0])?.start;
}

/** Preparing a text runs nothing. */
function hasSyntaxError(text: string, connection: Connection): boolean {
  try {
    connection.prepare(text);
    return false;
  } catch (error) {
    return error instanceof Error && /syntax error|unrecognized token/.test(error.message);
  }
}
