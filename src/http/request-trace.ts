import { randomUUID } from 'node:crypto';
import { createStatementTimer } from '../model/statement-timer.ts';
import { readTraceparent, traceIdOf } from '../model/traceparent.ts';
import type { StatementTimer } from '../model/statement-timer.ts';
import type { Traceparent } from '../model/traceparent.ts';

/** What the log and the metrics say of a request. It contains no names and values of the database. */
export interface RequestTrace {
  /** In the response and in every log line of the request. */
  readonly id: string;
  /** The operation id of the route, set when the route is found. */
  route: string;
  /** What the client's tracing calls the request; undefined without a valid header. */
  readonly traceId: string | undefined;
  /** For comments of statements. Empty unless the operator asks for them. */
  readonly statements: { readonly traceparent?: Traceparent };
  readonly timer: StatementTimer;
}

/** Short and without spaces, so that no client can forge log lines or metrics by it. */
const idPattern = /^[\w.:-]{1,128}$/;

/** Keeps the id that a proxy or the client has given to the request. */
export function traceOf(request: Request, tracesSql: boolean): RequestTrace {
  const requestId = request.headers.get('x-request-id') ?? '';
  const traceparent = readTraceparent(request.headers.get('traceparent'));
  return {
    id: idPattern.test(requestId) ? requestId : randomUUID(),
    route: 'other',
    traceId: traceparent === undefined ? undefined : traceIdOf(traceparent),
    statements: tracesSql && traceparent !== undefined ? { traceparent } : {},
    timer: createStatementTimer(),
  };
}

/** The value of the header `Server-Timing`, in milliseconds: https://www.w3.org/TR/server-timing/ */
export function serverTiming({ timer }: RequestTrace, seconds: number): string {
  const databaseMs = timer.elapsedMs();
  const total = `total;dur=${rounded(seconds * 1000)}`;
  return databaseMs === undefined ? total : `database;dur=${rounded(databaseMs)}, ${total}`;
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
