/** Streams of rows that are read in this process. */
import type { Result } from '../../../model/database.ts';
import type { RowStream } from '../../../model/rows.ts';
import type { Row } from '../../../model/values.ts';

/** A result as a stream of at most one batch. */
export function streamOf({ columns, rows, rowsAffected }: Result): RowStream {
  return {
    columns,
    batches: readStream(new Set(), singleBatch(rows), undefined),
    rowsAffected: () => rowsAffected,
  };
}

function* singleBatch(rows: readonly Row[]): Generator<readonly Row[], void> {
  if (rows.length > 0) yield rows;
}

export async function* readStream(
  streams: Set<Generator<readonly Row[], void>>,
  batches: Generator<readonly Row[], void>,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly Row[], void> {
  streams.add(batches);
  try {
    for (const batch of batches) {
      signal?.throwIfAborted();
      yield batch;
    }
  } finally {
    streams.delete(batches);
  }
}
