import type { Row } from '../../../model/values.ts';

/** A source that pushes rows and can be paused. */
export interface RowEmitter {
  pause(): void;
  resume(): void;
}

/** Passes rows from an emitter to a reader in batches, and pauses the emitter while the reader is slower. */
export interface RowQueue {
  push(row: Row): void;
  /** Ends the queue. The reader gets the error, if any, after the remaining rows. */
  end(failure?: { readonly error: unknown }): void;
  /** The next batch; undefined after the last one. */
  next(): Promise<readonly Row[] | undefined>;
  /** Whether the queue has ended. */
  isOver(): boolean;
  /** Drops all further rows, so that the statement can end. */
  discard(): void;
}

const firstBatchRows = 100;
const maxBatchRows = 500;
const batchWeight = 1_000_000;
const maxWaiting = 2;

export function createRowQueue(emitter: RowEmitter): RowQueue {
  const waiting: (readonly Row[])[] = [];
  let batch: Row[] = [];
  let weight = 0;
  let targetRows = firstBatchRows;
  let state: 'open' | 'discarding' | 'ended' = 'open';
  let failure: { readonly error: unknown } | undefined;
  let wake = (): void => {};

  const isOver = (): boolean => state === 'ended';
  const flush = (): void => {
    if (batch.length > 0) waiting.push(batch);
    batch = [];
    weight = 0;
    targetRows = maxBatchRows;
    wake();
  };

  return {
    push: (row) => {
      if (state !== 'open') return;
      batch.push(row);
      weight += weightOf(row);
      if (batch.length < targetRows && weight < batchWeight) return;
      flush();
      if (waiting.length >= maxWaiting) emitter.pause();
    },
    end: (reason) => {
      state = 'ended';
      failure = reason;
      flush();
    },
    isOver,
    next: async () => {
      while (waiting.length === 0 && !isOver()) {
        await new Promise<void>((resolve) => (wake = resolve));
      }
      const first = waiting.shift();
      if (first === undefined && failure !== undefined) throw failure.error;
      if (waiting.length < maxWaiting) emitter.resume();
      return first;
    },
    discard: () => {
      if (state === 'open') state = 'discarding';
      waiting.length = 0;
      batch = [];
      emitter.resume();
    },
  };
}

function weightOf(row: Row): number {
  let weight = 0;
  for (const value of row)
    if (typeof value === 'string' || value instanceof Uint8Array) weight += value.length;
  return weight;
}
