import type { RunOptions } from '../model/database.ts';

/**
 * Puts the trace of the request into its statement, as https://google.github.io/sqlcommenter/spec/
 * writes it, but in front: at the end of a user's text it could be inside of an open comment or end
 * an open string, and servers show only the beginning of long statements (`pg_stat_activity`).
 */
export function withTraceComment(text: string, options: RunOptions): string {
  return `${traceComment(options)}${text}`;
}

/** Empty for requests without a trace. Has no line break, so that lines in errors remain right. */
export function traceComment({ traceparent }: RunOptions): string {
  return traceparent === undefined ? '' : `/*traceparent='${traceparent}'*/ `;
}
