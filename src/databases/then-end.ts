import type { RowStream } from '../model/rows.ts';

/** The batches of a stream, and `end` behind the last of them, also when it fails or is left early. */
export async function* thenEnd(
  batches: RowStream['batches'],
  end: () => Promise<void>,
): RowStream['batches'] {
  try {
    yield* batches;
  } finally {
    await end();
  }
}
