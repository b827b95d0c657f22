import type { ServerFacts } from '../dialect/server-facts.ts';

/**
 * A SELECT that the server ends by itself when the studio is no longer there to end it: a second
 * after the limit and more, in whole seconds, so that one statement does not become many.
 */
export function limitedText(
  text: string,
  limitMs: number | undefined,
  { isMariadb }: Pick<ServerFacts, 'isMariadb'>,
): string {
  if (limitMs === undefined || !/^SELECT\b/i.test(text)) return text;
  const seconds = Math.ceil(limitMs / 1000) + 1;
  return isMariadb
    ? `SET STATEMENT max_statement_time = ${seconds} FOR ${text}`
    : `SELECT /*+ MAX_EXECUTION_TIME(${seconds * 1000}) */${text.slice('SELECT'.length)}`;
}
