import { StudioError } from './errors.ts';

/** Larger responses are not held in memory. A JavaScript string cannot hold twice as much. */
export const maxResponseBytes = 256 * 2 ** 20;

export function responseTooLongError(): StudioError {
  return new StudioError(
    'invalid_parameter',
    `The response takes more than ${maxResponseBytes / 2 ** 20} MB at once: ask for fewer rows, or for parts of the values (cells=preview).`,
    { parameter: 'page_size' },
  );
}
