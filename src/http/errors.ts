import { randomUUID } from 'node:crypto';
import { StudioError, errorDefinitions } from '../model/errors.ts';
import { jsonHeaders } from './headers.ts';
import type { HttpResponse, TextResponse } from './http-response.ts';
import type { RequestTrace } from './request-trace.ts';

/** A logger, such as that of pino. */
export interface Log {
  error(fields: object, message: string): void;
  /** Receives a line for each request. */
  info?(fields: object, message: string): void;
}

/** Converts an error to a response. Any error but a StudioError is a defect: the client only gets the id of the log entry. */
export function errorResponse(error: unknown, log?: Log, trace?: RequestTrace): TextResponse {
  const studioError = error instanceof StudioError ? error : defect(error, log, trace);
  const { status } = errorDefinitions[studioError.code];
  const body = JSON.stringify(
    { error: studioError.message, code: studioError.code, ...bodyDetails(studioError) },
    exactInteger,
  );
  return { status, headers: headersFor(studioError), body };
}

function defect(error: unknown, log?: Log, trace?: RequestTrace): StudioError {
  const id = trace?.id ?? randomUUID();
  log?.error(
    { id, route: trace?.route, err: error },
    'A request failed because of a defect in the studio.',
  );
  return new StudioError(
    'internal',
    `This is a defect of the studio; its log says more under ${id}.`,
    { id },
  );
}

/** Removes the details that are sent as headers or are for the studio itself. */
function bodyDetails({ details }: StudioError): StudioError['details'] {
  const { schemes: _schemes, retry_after: _retryAfter, outcome: _outcome, ...shown } = details;
  return shown;
}

/** When to try again while the database is unavailable. */
const unavailableSeconds = 2;

function headersFor({ code, details }: StudioError): HttpResponse['headers'] {
  if (code === 'method_not_allowed') return { ...jsonHeaders, Allow: listOf(details['allow']) };
  if (code === 'too_many_requests')
    return { ...jsonHeaders, 'Retry-After': String(details['retry_after']) };
  // What is written must not be sent again.
  if (errorDefinitions[code].status === 503 && details['outcome'] !== 'written')
    return { ...jsonHeaders, 'Retry-After': String(unavailableSeconds) };
  const schemes = listOf(details['schemes']);
  return schemes === '' ? jsonHeaders : { ...jsonHeaders, 'WWW-Authenticate': schemes };
}

function listOf(detail: unknown): string {
  return Array.isArray(detail) ? detail.join(', ') : '';
}

function exactInteger(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
