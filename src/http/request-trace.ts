import { randomUUID } from 'node:crypto';

/** What the log and the metrics say of a request. It contains no names and values of the database. */
export interface RequestTrace {
  /** In the response and in every log line of the request. */
  readonly id: string;
  /** The operation id of the route, set when the route is found. */
  route: string;
}

/** Short and without spaces, so that no client can forge log lines or metrics by it. */
const idPattern = /^[\w.:-]{1,128}$/;

/** Keeps the id that a proxy or the client has given to the request. */
export function traceOf(request: Request): RequestTrace {
  const requestId = request.headers.get('x-request-id') ?? '';
  return { id: idPattern.test(requestId) ? requestId : randomUUID(), route: 'other' };
}
