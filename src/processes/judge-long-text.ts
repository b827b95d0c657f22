/** Long texts are judged in threads, so that one request costs the others nothing. */
import { StudioError } from '../model/errors.ts';
import { ThreadLimitError, createThread } from './thread.ts';

/** Texts up to this length are judged at once, in a few milliseconds. */
const longestAtOnce = 16_384;

const limits = { limitMs: 30_000, idleMs: 60_000, stackMb: 16, heapMb: 1024 };

/** What a thread answers with; `failure` is for whoever wrote the text. */
export type ThreadAnswer<T> = { readonly found: T } | { readonly failure: string };

/** A function of a text's message that runs here where the text is short, else in a thread of `entry`. */
export function judgeInThread<M extends { readonly text: string }, T>(
  entry: URL,
  judge: (message: M) => T | Promise<T>,
): (message: M) => Promise<T> {
  const call = createThread({ entry, ...limits });
  return async (message) => {
    if (message.text.length <= longestAtOnce) {
      try {
        return await judge(message);
      } catch (error) {
        // A thread has more stack.
        if (!(error instanceof RangeError)) throw error;
      }
    }
    const answer = (await call(message).catch(refuseLimit)) as ThreadAnswer<T>;
    if ('found' in answer) return answer.found;
    throw invalidQuery(answer.failure);
  };
}

/** What the thread's side answers to a message. */
export async function answerInThread<M, T>(
  message: M,
  judge: (message: M) => T | Promise<T>,
): Promise<ThreadAnswer<T>> {
  try {
    return { found: await judge(message) };
  } catch (error) {
    if (error instanceof StudioError) return { failure: error.message };
    if (error instanceof RangeError) return { failure: tooDeep };
    throw error;
  }
}

const tooDeep =
  'query nests or chains its expressions too deeply to be judged: a few ten thousand operators or brackets is the most.';

function refuseLimit(error: unknown): never {
  if (!(error instanceof ThreadLimitError)) throw error;
  throw invalidQuery(
    `query is too complex: it could not be judged within ${limits.limitMs / 1000} seconds and ${limits.heapMb} MB. Send it in parts.`,
  );
}

function invalidQuery(message: string): StudioError {
  return new StudioError('invalid_parameter', message, { parameter: 'query' });
}
