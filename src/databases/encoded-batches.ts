import type { InsertBatch } from '../model/load-dialect.ts';
import type { Column } from '../model/schema.ts';
import type { Row } from '../model/values.ts';

/** Rows as the server reads them, encoded in advance or when they are needed. */
export interface EncodedBatches {
  /** Encodes rows in advance. Errors are left to `take`. */
  encodeAhead(batch: InsertBatch): void;
  has(batch: InsertBatch): boolean;
  /** The encoded rows. They are not kept. */
  take(batch: InsertBatch): Buffer;
}

export function createEncodedBatches(textOf: (batch: InsertBatch) => string): EncodedBatches {
  const encoded = new WeakMap<
    readonly Row[],
    { readonly columns: readonly Column[]; readonly bytes: Buffer }
  >();
  const find = ({ rows, columns }: InsertBatch): Buffer | undefined => {
    const found = encoded.get(rows);
    return found?.columns === columns ? found.bytes : undefined;
  };
  return {
    encodeAhead: (batch) => {
      try {
        const bytes = Buffer.from(textOf(batch));
        encoded.set(batch.rows, { columns: batch.columns, bytes });
      } catch {
        // `take` throws it, when the rows before have been written.
      }
    },
    has: (batch) => find(batch) !== undefined,
    take: (batch) => {
      const bytes = find(batch) ?? Buffer.from(textOf(batch));
      encoded.delete(batch.rows);
      return bytes;
    },
  };
}
