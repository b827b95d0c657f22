import { runEndable } from '../postgres/end-statement.ts';
import { fieldInfo } from './types.ts';
import type { RunOptions } from '../../model/database.ts';
import type { RowStream } from '../../model/rows.ts';
import type { ColumnInfo } from '../../model/schema.ts';
import type { Row, Value } from '../../model/values.ts';
import type { Endable } from '../postgres/end-statement.ts';
import type { WireField } from './types.ts';

/** A statement whose rows come by themselves. */
export interface RowFeed {
  listen(listener: FeedListener): void;
  /** Makes values of what the driver gives, in place. */
  decode(fields: readonly WireField[], rows: readonly Value[][]): void;
  pause(): void;
  resume(): void;
}

export interface FeedListener {
  fields(fields: readonly WireField[]): void;
  row(row: Value[]): void;
  ended(): void;
  failed(error: unknown): void;
}

export interface StreamOptions {
  readonly columns: readonly ColumnInfo[] | undefined;
  readonly runOptions: RunOptions;
  readonly endable: Endable;
  /** Called when the connection is free again. */
  done(): void;
}

/** The rows of a statement in batches, as fast as they are taken; given up early, it is ended in the server. */
export async function streamRows(feed: RowFeed, options: StreamOptions): Promise<RowStream> {
  const batches = gatherBatches(feed);
  const endable: Endable = {
    cancel: () => {
      batches.discard();
      return options.endable.cancel();
    },
    destroy: () => options.endable.destroy(),
  };
  const finished = runEndable(endable, options.runOptions, () => batches.finished).finally(() => options.done());
  // Told to whoever reads, even if that begins later.
  finished.catch(() => {});
  const fields = await batches.fields.catch(async (error: unknown) => {
    // Fails with why the statement was ended, if it was.
    await finished;
    throw error;
  });
  return {
    columns: options.columns ?? fields.map(fieldInfo),
    batches: read(batches, { finished, endable }),
  };
}

interface Ending {
  readonly finished: Promise<void>;
  readonly endable: Endable;
}

async function* read(batches: Batches, { finished, endable }: Ending): AsyncGenerator<readonly Row[]> {
  try {
    for (let batch = await batches.next(); batch !== undefined; batch = await batches.next()) yield batch;
    await finished;
  } finally {
    if (!batches.isFinished()) await endable.cancel().catch(() => endable.destroy());
    await finished.catch(() => {});
  }
}

const firstBatchRows = 100;
const mostBatchRows = 1000;
const batchWeight = 1_000_000;
/** Batches that wait to be taken. */
const mostWaiting = 2;

interface Batches {
  readonly fields: Promise<readonly WireField[]>;
  /** When the server has nothing more to say; fails with what it says against the statement. */
  readonly finished: Promise<void>;
  isFinished(): boolean;
  /** Undefined behind the last, and when no more are taken. */
  next(): Promise<readonly Row[] | undefined>;
  /** Takes no more rows, so that the end can come. */
  discard(): void;
}

function gatherBatches(feed: RowFeed): Batches {
  const fields = Promise.withResolvers<readonly WireField[]>();
  const finished = Promise.withResolvers<void>();
  const waiting: Value[][][] = [];
  let known: readonly WireField[] = [];
  let current: Value[][] = [];
  let weight = 0;
  let wanted = firstBatchRows;
  let discarding = false;
  let isFinished = false;
  let wake: () => void = () => {};

  const flush = (): void => {
    if (current.length > 0) waiting.push(current);
    current = [];
    weight = 0;
    wanted = mostBatchRows;
    wake();
  };
  const settle = (tell: () => void): void => {
    isFinished = true;
    flush();
    tell();
  };
  const take = (row: Value[]): void => {
    if (discarding) return;
    current.push(row);
    weight += weightOf(row);
    if (current.length < wanted && weight < batchWeight) return;
    flush();
    if (waiting.length >= mostWaiting) feed.pause();
  };

  feed.listen({
    fields: (found) => {
      known = found;
      fields.resolve(found);
    },
    row: take,
    ended: () =>
      settle(() => {
        fields.resolve([]);
        if (discarding) finished.reject(new Error('The statement was given up.'));
        else finished.resolve();
      }),
    failed: (error) =>
      settle(() => {
        fields.reject(error);
        finished.reject(error);
      }),
  });
  return {
    fields: fields.promise,
    finished: finished.promise,
    isFinished: () => isFinished,
    next: async () => {
      while (waiting.length === 0 && !isFinished && !discarding) await new Promise<void>((resolve) => (wake = resolve));
      const batch = waiting.shift();
      if (waiting.length < mostWaiting) feed.resume();
      if (batch !== undefined) feed.decode(known, batch);
      return batch;
    },
    discard: () => {
      discarding = true;
      waiting.length = 0;
      current = [];
      feed.resume();
      wake();
    },
  };
}

function weightOf(row: readonly Value[]): number {
  let weight = 0;
  for (const value of row) if (typeof value === 'string' || value instanceof Uint8Array) weight += value.length;
  return weight;
}
