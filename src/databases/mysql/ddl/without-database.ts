import { codeOf } from '../../../portable/lexer/code.ts';
import { readName } from '../../../sql/expression/read-literal.ts';
import { mysqlLexicalRules } from '../language/lexical-rules.ts';

/** Removes these databases from qualified names in a query. */
export function withoutDatabase(query: string, databases: ReadonlySet<string>): string {
  const folded = new Set([...databases].map((name) => name.toLowerCase()));
  if (folded.size === 0) return query;
  const code = codeOf(query, mysqlLexicalRules);
  let text = '';
  let from = 0;
  for (const [i, token] of code.entries()) {
    if (code[i + 1]?.word !== '.' || code[i - 1]?.word === '.') continue;
    const name = readName(query.slice(token.start, token.end), mysqlLexicalRules);
    if (!folded.has(name.toLowerCase())) continue;
    text += query.slice(from, token.start);
    from = code[i + 1]!.end;
  }
  return text + query.slice(from);
}
