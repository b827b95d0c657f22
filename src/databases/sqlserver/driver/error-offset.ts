import { findMention, lineStart } from '../../../sql/find-mention.ts';
import { serverError } from '../dialect/errors.ts';
import { sqlserverLexicalRules } from '../language/lexical-rules.ts';

/** The server reports the line, and quotes the name or the token. */
export function errorOffset(error: unknown, text: string): number | undefined {
  const found = serverError(error);
  const mention = /'([^']+)'/.exec(found?.message ?? '')?.[1];
  if (found?.lineNumber === undefined || mention === undefined) return undefined;
  const from = lineStart(text, found.lineNumber);
  return findMention(mention, { text, rules: sqlserverLexicalRules, from });
}
