import { codeOf } from '../../../portable/lexer/code.ts';
import { sqlserverLexicalRules } from '../language/lexical-rules.ts';
import type { CodeToken } from '../../../portable/lexer/code.ts';

/**
 * The SELECT of `CREATE VIEW name [(columns)] [WITH …] AS SELECT …`. If the view names its columns,
 * the SELECT is wrapped in a derived table with them. Undefined for another statement, or if the
 * query begins with WITH and cannot be wrapped.
 */
export function viewSelect(text: string): string | undefined {
  const code = codeOf(text, sqlserverLexicalRules);
  const as = code.findIndex(({ word }, i) => word === 'AS' && depthAt(code, i) === 0);
  const body = code[as + 1];
  if (as === -1 || body === undefined) return undefined;
  const select = text.slice(body.start).trimEnd().replace(/;$/, '');
  const columns = columnList(text, code.slice(0, as));
  if (columns === undefined) return select;
  return body.word === 'WITH' ? undefined : `SELECT * FROM (\n${select}\n) AS [view] ${columns}`;
}

function depthAt(code: readonly CodeToken[], at: number): number {
  return code
    .slice(0, at)
    .reduce((depth, { word }) => depth + (word === '(' ? 1 : word === ')' ? -1 : 0), 0);
}

function columnList(text: string, head: readonly CodeToken[]): string | undefined {
  const open = head.findIndex(({ word }) => word === '(');
  const close = head.findIndex(({ word }) => word === ')');
  return open === -1 || close === -1 ? undefined : text.slice(head[open]!.start, head[close]!.end);
}
