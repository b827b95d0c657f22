import { StudioError } from '../model/errors.ts';

/** The error for a statement on a connection that still reads a stream. */
export function streamingError(): StudioError {
  return new StudioError(
    'database_busy',
    'A stream of rows is still being read on this connection.',
  );
}
