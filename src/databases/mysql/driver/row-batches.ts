import { decodeGeometries, decodeRows } from '../dialect/values.ts';
import type { Value } from '../../../model/values.ts';
import type { RowCollector } from './row-stream.ts';
import type { ServerInfo } from '../dialect/server-info.ts';

const firstBatchRows = 100;
const maxBatchRows = 1000;
/** Total length of the strings and byte arrays in a batch. */
const batchWeight = 1_000_000;

/** Collects rows into batches of similar size in memory. */
export function createRowBatches(server: ServerInfo): RowCollector<Value[]> {
  const ready: Value[][][] = [];
  let rows: Value[][] = [];
  let weight = 0;
  let targetRows = firstBatchRows;

  const finish = (): void => {
    if (rows.length > 0) ready.push(rows);
    rows = [];
    weight = 0;
    targetRows = maxBatchRows;
  };

  return {
    add(row) {
      rows.push(row);
      weight += weightOf(row);
      if (rows.length >= targetRows || weight >= batchWeight) finish();
    },
    finish,
    count: () => ready.length,
    take: (fields) => {
      const batch = ready.shift();
      if (batch === undefined) return undefined;
      decodeRows(fields, batch);
      decodeGeometries(fields, batch, server);
      return batch;
    },
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
