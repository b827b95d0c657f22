/** Analyzes long SQL texts in worker threads, so that one request does not block others. */
import { StudioError } from '../model/errors.ts';
import { ThreadLimitError, createThread } from './thread.ts';

/** Texts up to this length take a few milliseconds and are analyzed in the main thread. */
const maxMainThreadLength = 16_384;

const limits = { limitMs: 30_000, idleMs: 60_000, stackMb: 16, heapMb: 1024 };

/** The thread's response. `failure` is an error message for the author of the text. */
export type ThreadResponse<T> = { readonly found: T } | { readonly failure: string };

/** Returns a function that runs `analyze` in this thread for short texts, else in a worker of `entry`. */
export function analyzeInThread<M extends { readonly text: string }, T>(
  entry: URL,
  analyze: (message: M) => T | Promise<T>,
): (message: M) => Promise<T> {
  const call = createThread({ entry, ...limits });
  return async (message) => {
    if (message.text.length <= maxMainThreadLength) {
      try {
        return await analyze(message);
      } catch (error) {
        // The worker thread has a larger stack.
        if (!(error instanceof RangeError)) throw error;
      }
    }
    const response = (await call(message).catch(reportLimit)) as ThreadResponse<T>;
    if ('found' in response) return response.found;
    throw invalidQuery(response.failure);
  };
}

/** The worker's side: runs `analyze` and converts errors to a response. */
export async function respondInThread<M, T>(
  message: M,
  analyze: (message: M) => T | Promise<T>,
): Promise<ThreadResponse<T>> {
  try {
    return { found: await analyze(message) };
  } catch (error) {
    if (error instanceof StudioError) return { failure: error.message };
    if (error instanceof RangeError) return { failure: tooDeep };
    throw error;
  }
}

const tooDeep =
  'query nests or chains its expressions too deeply to be analyzed: the maximum is a few ten thousand operators or brackets.';

function reportLimit(error: unknown): never {
  if (!(error instanceof ThreadLimitError)) throw error;
  throw invalidQuery(
    `query is too complex: it could not be analyzed within ${limits.limitMs / 1000} seconds and ${limits.heapMb} MB. Send it in parts.`,
  );
}

function invalidQuery(message: string): StudioError {
  return new StudioError('invalid_parameter', message, { parameter: 'query' });
}
