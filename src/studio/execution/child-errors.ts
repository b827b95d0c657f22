import { StudioError, isErrorCode } from '../../model/errors.ts';
import { HostCrashError, HostError, HostTimeoutError } from '../../processes/errors.ts';

/** Translates what a child process threw, or how it ended, into a StudioError. */
export function studioErrorOf(error: unknown): unknown {
  if (error instanceof HostTimeoutError) {
    const seconds = error.limitMs / 1000;
    return new StudioError(
      'statement_timeout',
      `The statement was ended: it took longer than ${seconds} s.`,
    );
  }
  if (error instanceof HostCrashError) return crashError(error);
  if (error instanceof HostError && isErrorCode(error.code)) {
    return new StudioError(error.code, error.message, error.details ?? {});
  }
  return error;
}

function crashError({ outOfMemory }: HostCrashError): StudioError {
  if (outOfMemory)
    return new StudioError('too_large', 'The request needs more memory than one request may use.');
  return new StudioError(
    'database_unavailable',
    'The process that performed the request ended unexpectedly; the next request starts a new one.',
  );
}
