import { setImmediate } from 'node:timers/promises';
import type { RowChunk } from '../../model/load.ts';
import type { Row, Value } from '../../model/values.ts';

/** Reads the next rows of a file while the previous ones are being written: at most one chunk. */
export interface ReadAhead {
  hasNext(): Promise<boolean>;
  /** Begins to read the next chunk, unless it is being read, and passes it to `onRead`, which must not throw. Does nothing once closed. */
  readOn(onRead?: (chunk: RowChunk) => void): void;
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
  let isClosed = false;
  let pending: Promise<IteratorResult<RowChunk, void>> | undefined;
  const readNext = async (
    onRead?: (chunk: RowChunk) => void,
  ): Promise<IteratorResult<RowChunk, void>> => {
    const next = await merged.next();
    if (next.done !== true) onRead?.(next.value);
    return next;
  };
  const peek = (onRead?: (chunk: RowChunk) => void): Promise<IteratorResult<RowChunk, void>> => {
    pending ??= readNext(onRead);
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
    readOn: (onRead) => {
      if (!isClosed) void peek(onRead);
    },
    next: async () => {
      const { value, done } = await read();
      if (done === true) return undefined;
      pending = undefined;
      return value;
    },
    close: async () => {
      isClosed = true;
      await pending?.catch(() => {});
      await iterator.return?.();
    },
  };
}

const targetBytes = 1_000_000;
/** Between two pauses, in which responses of the database are handled. */
const rowsWithoutPause = 500;

async function* mergeChunks(
  iterator: AsyncIterator<RowChunk>,
  rowsTogether: number,
): AsyncGenerator<RowChunk, void> {
  let merged: MergedChunk | undefined;
  let rowsSincePause = 0;
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
    const chunk: RowChunk = next.value;
    if (merged !== undefined && !canMerge(merged, chunk)) {
      yield merged;
      merged = undefined;
    }
    merged = appendChunk(merged, chunk);
    rowsSincePause += chunk.rows.length;
    if (merged.rows.length >= rowsTogether || estimatedBytes(merged) >= targetBytes) {
      yield merged;
      merged = undefined;
      rowsSincePause = 0;
    } else if (rowsSincePause >= rowsWithoutPause) {
      await setImmediate();
      rowsSincePause = 0;
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
