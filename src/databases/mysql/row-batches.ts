import type { Value } from '../../model/values.ts';

/** Rows in batches that hold about as much, whatever the rows' size. */
export interface RowBatches {
  add(row: Value[]): void;
  /** Makes a batch of what there is. */
  finish(): void;
  /** Batches that are ready to be taken. */
  count(): number;
  take(): Value[][] | undefined;
  clear(): void;
}

const firstBatchRows = 100;
const mostBatchRows = 1000;
/** In characters and bytes. */
const batchWeight = 1_000_000;

export function createRowBatches(): RowBatches {
  const ready: Value[][][] = [];
  let rows: Value[][] = [];
  let weight = 0;
  let wanted = firstBatchRows;

  const finish = (): void => {
    if (rows.length > 0) ready.push(rows);
    rows = [];
    weight = 0;
    wanted = mostBatchRows;
  };

  return {
    add(row) {
      rows.push(row);
      weight += weightOf(row);
      if (rows.length >= wanted || weight >= batchWeight) finish();
    },
    finish,
    count: () => ready.length,
    take: () => ready.shift(),
    clear() {
      ready.length = 0;
      rows = [];
    },
  };
}

function weightOf(row: readonly Value[]): number {
  let weight = 0;
  for (const value of row)
    if (typeof value === 'string' || value instanceof Uint8Array) weight += value.length;
  return weight;
}
