import { StudioError } from '../model/errors.ts';

/** What a connection answers to a statement that would have to share it with a stream. */
export function streamingError(): StudioError {
  return new StudioError(
    'database_busy',
    'A stream of rows is still being read on this connection.',
  );
}
