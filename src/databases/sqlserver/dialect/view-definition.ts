import { codeOf } from '../../../sql/code.ts';
import { sqlserverLexicalRules } from '../language/lexical-rules.ts';
import type { CodeToken } from '../../../sql/code.ts';

/**
 * The SELECT of a view's `CREATE VIEW name [(columns)] [WITH …] AS SELECT …`; columns that it names
 * are put around it. Undefined for a text that is none, or whose columns cannot be put around it.
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
