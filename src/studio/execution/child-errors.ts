import { closedError } from '../../databases/connection-slots.ts';
import { StudioError, isErrorCode } from '../../model/errors.ts';
import type { WriteOutcome } from '../../model/errors.ts';
import {
  HostClosedError,
  HostCrashError,
  HostError,
  HostStuckError,
  HostTimeoutError,
} from '../../processes/errors.ts';

/** Translates what a child process threw, or how it ended, into a StudioError. */
export function studioErrorOf(error: unknown): unknown {
  if (error instanceof HostTimeoutError) {
    const seconds = error.limitMs / 1000;
    return new StudioError(
      'statement_timeout',
      `The statement was ended: it took longer than ${seconds} s.`,
    );
  }
  if (error instanceof HostClosedError) return closedError();
  if (error instanceof HostStuckError) return stuckError(error);
  if (error instanceof HostCrashError) return crashError(error);
  if (error instanceof HostError && isErrorCode(error.code)) {
    return new StudioError(error.code, error.message, error.details ?? {});
  }
  return error;
}

function stuckError({ hasStarted }: HostStuckError): StudioError {
  const outcome: WriteOutcome = hasStarted ? 'unknown' : 'nothing_written';
  const consequence = hasStarted
    ? 'The request was given up; if it was a write, it may still be made when the disk responds again'
    : 'The request was not begun';
  return new StudioError(
    'database_unavailable',
    `The disk of the database file does not respond. ${consequence}.`,
    { outcome },
  );
}

function crashError({ outOfMemory, signal }: HostCrashError): StudioError {
  if (outOfMemory)
    return new StudioError('too_large', 'The request needs more memory than one request may use.');
  // A process ends with SIGBUS when it reads a part of a mapped file that no longer exists.
  if (signal === 'SIGBUS') return new StudioError('database_unavailable', unreadableMapping);
  return new StudioError(
    'database_unavailable',
    'The process that performed the request ended unexpectedly; the next request starts a new one.',
  );
}

const unreadableMapping =
  'A part of the database file could not be read: another program truncated the file, or its disk failed. The next request opens the file again.';
