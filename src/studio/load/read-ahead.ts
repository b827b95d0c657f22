import type { RowChunk } from '../../model/load.ts';
import type { Row, Value } from '../../model/values.ts';

/** Reads the next rows of a file while the previous ones are being written. */
export interface ReadAhead {
  hasNext(): Promise<boolean>;
  /** Undefined at the end. */
  next(): Promise<RowChunk | undefined>;
  /** Waits for the read that is running, and ignores its error. */
  close(): Promise<void>;
}

/** The rows could not be read, for the reason in `cause`. */
export class SourceError extends Error {
  constructor(cause: unknown) {
    super('The rows could not be read.', { cause });
  }
}

/** Merges consecutive chunks of one table, because each write costs a few round trips. */
export function readAhead(chunks: AsyncIterable<RowChunk>, rowsTogether: number): ReadAhead {
  const iterator = chunks[Symbol.asyncIterator]();
  const merged = mergeChunks(iterator, rowsTogether);
  let pending: Promise<IteratorResult<RowChunk, void>> | undefined;
  const peek = (): Promise<IteratorResult<RowChunk, void>> => {
    pending ??= merged.next();
    // `next` reports the error. This handler only prevents an unhandled rejection.
    pending.catch(() => {});
    return pending;
  };
  const read = (): Promise<IteratorResult<RowChunk, void>> =>
    peek().catch((error: unknown) => {
      throw new SourceError(error);
    });
  return {
    hasNext: async () => (await read()).done !== true,
    next: async () => {
      const { value, done } = await read();
      if (done === true) return undefined;
      pending = undefined;
      void peek();
      return value;
    },
    close: async () => {
      await pending?.catch(() => {});
      await iterator.return?.();
    },
  };
}

const targetBytes = 1_000_000;

async function* mergeChunks(
  iterator: AsyncIterator<RowChunk>,
  rowsTogether: number,
): AsyncGenerator<RowChunk, void> {
  let merged: MergedChunk | undefined;
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
    const chunk: RowChunk = next.value;
    if (merged !== undefined && !canMerge(merged, chunk)) {
      yield merged;
      merged = undefined;
    }
    merged = appendChunk(merged, chunk);
    if (merged.rows.length >= rowsTogether || estimatedBytes(merged) >= targetBytes) {
      yield merged;
      merged = undefined;
    }
  }
  if (merged !== undefined) yield merged;
}

function canMerge(first: RowChunk, next: RowChunk): boolean {
  return (
    first.table === next.table &&
    first.columns === next.columns &&
    first.source === next.source &&
    (first.rowNumbers === undefined) === (next.rowNumbers === undefined) &&
    (first.lines === undefined) === (next.lines === undefined) &&
    (first.rowNumbers !== undefined || first.firstRow + first.rows.length === next.firstRow)
  );
}

/** A chunk that grows. */
interface MergedChunk extends RowChunk {
  readonly rows: Row[];
  readonly rowNumbers?: number[];
  readonly lines?: number[];
  fileBytes?: number;
}

function appendChunk(merged: MergedChunk | undefined, chunk: RowChunk): MergedChunk {
  if (merged === undefined) return copyOf(chunk);
  for (const row of chunk.rows) merged.rows.push(row);
  for (const number of chunk.rowNumbers ?? []) merged.rowNumbers?.push(number);
  for (const line of chunk.lines ?? []) merged.lines?.push(line);
  if (chunk.fileBytes !== undefined) merged.fileBytes = chunk.fileBytes;
  return merged;
}

function copyOf({ rows, rowNumbers, lines, ...chunk }: RowChunk): MergedChunk {
  return {
    ...chunk,
    rows: [...rows],
    ...(rowNumbers === undefined ? {} : { rowNumbers: [...rowNumbers] }),
    ...(lines === undefined ? {} : { lines: [...lines] }),
  };
}

/** An estimate from the last row. Readers limit the size of chunks. */
function estimatedBytes({ rows }: RowChunk): number {
  const last: Row = rows.at(-1) ?? [];
  return last.reduce<number>((bytes, value) => bytes + sizeOf(value), 0) * rows.length;
}

function sizeOf(value: Value): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 8;
}
