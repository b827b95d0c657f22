import type { Row } from '../../model/values.ts';

type Batches = AsyncGenerator<readonly Row[], void, undefined>;

/** Splits rows into streams of at most `maxRows` each. Each must be read completely before the next is requested. Yields at least one. */
export async function* splitRows(
  batches: AsyncIterable<readonly Row[]>,
  maxRows: number,
): AsyncGenerator<Batches, void, undefined> {
  const source: Source = { batches: batches[Symbol.asyncIterator](), pending: [] };
  try {
    do yield takeRows(source, maxRows);
    while (await hasMore(source));
  } finally {
    await source.batches.return?.();
  }
}

interface Source {
  readonly batches: AsyncIterator<readonly Row[]>;
  /** Read from the source, but not yet yielded. */
  pending: readonly Row[];
}

async function* takeRows(source: Source, maxRows: number): Batches {
  let room = maxRows;
  while (room > 0 && (await hasMore(source))) {
    const rows = source.pending.slice(0, room);
    source.pending = source.pending.slice(room);
    room -= rows.length;
    yield rows;
  }
}

async function hasMore(source: Source): Promise<boolean> {
  while (source.pending.length === 0) {
    const next = await source.batches.next();
    if (next.done === true) return false;
    source.pending = next.value;
  }
  return true;
}
