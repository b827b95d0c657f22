import { traceComment } from '../../trace-comment.ts';
import type { RunOptions } from '../../../model/database.ts';
import type { ServerInfo } from '../dialect/server-info.ts';

/** The statement as it is sent: with the time limit and the trace of its request. */
export function sentText(
  text: string,
  options: RunOptions,
  server: Pick<ServerInfo, 'isMariadb'>,
): string {
  return `${traceComment(options)}${limitedText(text, options.limitMs, server)}`;
}

/**
 * Adds a server-side time limit to a SELECT, for the case that the studio can no longer cancel it. It
 * is at least a second longer than the studio's limit. Whole seconds keep the number of different
 * prepared statements small.
 */
function limitedText(
  text: string,
  limitMs: number | undefined,
  { isMariadb }: Pick<ServerInfo, 'isMariadb'>,
): string {
  if (limitMs === undefined || !/^SELECT\b/i.test(text)) return text;
  const seconds = Math.ceil(limitMs / 1000) + 1;
  return isMariadb
    ? `SET STATEMENT max_statement_time = ${seconds} FOR ${text}`
    : `SELECT /*+ MAX_EXECUTION_TIME(${seconds * 1000}) */${text.slice('SELECT'.length)}`;
}
