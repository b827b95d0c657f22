import { codeOf } from '../../../portable/lexer/code.ts';
import { postgresDdl } from './ddl.ts';
import { postgresLexicalRules } from '../language/lexical-rules.ts';

/** Converts a domain's check to a column's: replaces `VALUE` by the column. */
export function withValueNamed(check: string, column: string): string {
  let text = '';
  let from = 0;
  for (const token of codeOf(check, postgresLexicalRules)) {
    if (token.word !== 'VALUE') continue;
    text += check.slice(from, token.start) + postgresDdl.quoteName(column);
    from = token.end;
  }
  return text + check.slice(from);
}
