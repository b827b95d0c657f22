import { randomUUID } from 'node:crypto';
import { StudioError, errorFacts } from '../model/errors.ts';
import { jsonHeaders } from './headers.ts';
import type { Answer, TextAnswer } from './answer.ts';

/** Where defects are written; pino's loggers are such. */
export interface Log {
  error(fields: object, message: string): void;
}

/** The one place where a failure becomes a status. What is no StudioError is a defect: its id is all a client learns. */
export function errorAnswer(error: unknown, log?: Log): TextAnswer {
  const told = error instanceof StudioError ? error : defect(error, log);
  const { status } = errorFacts[told.code];
  const body = JSON.stringify(
    { error: told.message, code: told.code, ...bodyDetails(told) },
    exactInteger,
  );
  return { status, headers: headersFor(told), body };
}

function defect(error: unknown, log?: Log): StudioError {
  const id = randomUUID();
  log?.error({ id, err: error }, 'A request failed by a defect of the studio.');
  return new StudioError(
    'internal',
    `This is a defect of the studio; its log says more under ${id}.`,
    { id },
  );
}

/** Details that are said by a header and not by the body. */
function bodyDetails({ details }: StudioError): StudioError['details'] {
  const { schemes: _schemes, retry_after: _retryAfter, ...shown } = details;
  return shown;
}

function headersFor({ code, details }: StudioError): Answer['headers'] {
  if (code === 'method_not_allowed') return { ...jsonHeaders, Allow: listOf(details['allow']) };
  if (code === 'too_many_requests')
    return { ...jsonHeaders, 'Retry-After': String(details['retry_after']) };
  const schemes = listOf(details['schemes']);
  return schemes === '' ? jsonHeaders : { ...jsonHeaders, 'WWW-Authenticate': schemes };
}

function listOf(detail: unknown): string {
  return Array.isArray(detail) ? detail.join(', ') : '';
}

function exactInteger(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
