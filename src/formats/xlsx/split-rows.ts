import type { Row } from '../../model/values.ts';

type Batches = AsyncGenerator<readonly Row[], void, undefined>;

/** Rows parted into streams of so many, each to be read up before the next is asked for; one at least. */
export async function* splitRows(
  batches: AsyncIterable<readonly Row[]>,
  most: number,
): AsyncGenerator<Batches, void, undefined> {
  const source: Source = { batches: batches[Symbol.asyncIterator](), waiting: [] };
  try {
    do yield portion(source, most);
    while (await hasMore(source));
  } finally {
    await source.batches.return?.();
  }
}

interface Source {
  readonly batches: AsyncIterator<readonly Row[]>;
  /** Taken from the stream, and not yet given out. */
  waiting: readonly Row[];
}

async function* portion(source: Source, most: number): Batches {
  let room = most;
  while (room > 0 && (await hasMore(source))) {
    const rows = source.waiting.slice(0, room);
    source.waiting = source.waiting.slice(room);
    room -= rows.length;
    yield rows;
  }
}

async function hasMore(source: Source): Promise<boolean> {
  while (source.waiting.length === 0) {
    const next = await source.batches.next();
    if (next.done === true) return false;
    source.waiting = next.value;
  }
  return true;
}
