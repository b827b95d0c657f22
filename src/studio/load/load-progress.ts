import type { LoadOptions, RowChunk } from '../../model/load.ts';
import type { Table } from '../../model/schema.ts';

/** Reports how much of the file is written. Rows are read ahead of that, and some wait for their parents. */
export interface ProgressReport {
  /** Batches of the file, in its order. */
  received(batch: RowChunk): void;
  /** `rows` is the number of all rows written so far. */
  written(table: Table, rows: number): void;
}

export function createProgressReport(onProgress: LoadOptions['onProgress']): ProgressReport {
  const notWritten: { readonly rows: number; readonly bytes: number }[] = [];
  let [received, bytes] = [0, 0];
  return {
    received: ({ rows, fileBytes = 0 }) => {
      received += rows.length;
      if (onProgress !== undefined) notWritten.push({ rows: received, bytes: fileBytes });
    },
    written: ({ name }, rows) => {
      for (
        let next = notWritten[0];
        next !== undefined && next.rows <= rows;
        next = notWritten[0]
      ) {
        bytes = next.bytes;
        notWritten.shift();
      }
      onProgress?.({ table: name, rows, bytes });
    },
  };
}
