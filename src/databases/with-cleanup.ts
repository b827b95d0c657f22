import type { RowStream } from '../model/rows.ts';

/** Yields the batches of a stream, then runs `cleanUp`, also if the stream fails or is closed early. */
export async function* withCleanup(
  batches: RowStream['batches'],
  cleanUp: () => Promise<void>,
): RowStream['batches'] {
  try {
    yield* batches;
  } finally {
    await cleanUp();
  }
}
