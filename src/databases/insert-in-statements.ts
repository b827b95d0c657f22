import { RowsFailure } from '../model/load-dialect.ts';
import { sliceChunk } from '../model/row-chunk.ts';
import type { InsertBatch, InsertCounts } from '../model/load-dialect.ts';
import type { Row, Value } from '../model/values.ts';

/** Limits of one INSERT statement. */
export interface StatementLimits {
  readonly rows: number;
  readonly params: number;
  /** Approximate. A larger row gets a statement of its own. */
  readonly bytes: number;
}

/** Inserts a batch in statements within the limits. A `RowsFailure` has the range of the statement's rows within the batch. */
export async function insertInStatements(
  batch: InsertBatch,
  limits: StatementLimits,
  insert: (part: InsertBatch) => Promise<InsertCounts>,
): Promise<InsertCounts> {
  let [inserted, updated] = [0, 0];
  for (let from = 0; from < batch.rows.length;) {
    const to = endOfStatement(batch, from, limits);
    const counts = await insert(sliceChunk(batch, from, to)).catch((error: unknown) => {
      throw failureAt(error, from, to - from);
    });
    inserted += counts.inserted;
    updated += counts.updated;
    from = to;
  }
  return { inserted, updated };
}

function endOfStatement(
  { rows, columns }: InsertBatch,
  from: number,
  limits: StatementLimits,
): number {
  const maxRows = Math.min(limits.rows, Math.floor(limits.params / Math.max(1, columns.length)));
  const end = Math.min(rows.length, from + Math.max(1, maxRows));
  let bytes = 0;
  for (let to = from; to < end; to++) {
    bytes += sizeOf(rows[to] ?? []);
    if (bytes > limits.bytes && to > from) return to;
  }
  return end;
}

function sizeOf(row: Row): number {
  let bytes = 0;
  for (const value of row) bytes += sizeOfValue(value);
  return bytes;
}

/** Of each value, in addition to its content. */
const baseBytes = 10;
const bytesOfCharacter = 3;

function sizeOfValue(value: Value): number {
  if (typeof value === 'string') return baseBytes + value.length * bytesOfCharacter;
  return value instanceof Uint8Array ? baseBytes + value.length : baseBytes;
}

/** Converts row indexes of a statement to those of the batch. */
function failureAt(error: unknown, from: number, count: number): RowsFailure {
  if (!(error instanceof RowsFailure)) return new RowsFailure(error, { first: from, count });
  const { first, column } = error;
  return new RowsFailure(error.cause, { first: from + first, count: error.count, column });
}
