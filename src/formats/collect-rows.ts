import type { RowChunk } from '../model/load.ts';
import type { Column, Table } from '../model/schema.ts';
import type { Row } from '../model/values.ts';

/** A row and where it stands. */
interface PlacedRow {
  readonly row: Row;
  readonly number: number;
  readonly line?: number;
  /** About the bytes that it took in the file. */
  readonly size: number;
}

/** Gathers rows of one table and the same columns until they make a chunk. */
export interface RowCollector {
  add(placed: PlacedRow): void;
  /** The chunk, when there is enough for one, or with `all` when there is anything. */
  take(all?: boolean): RowChunk | undefined;
}

const mostRows = 500;
const mostBytes = 1024 * 1024;

export function collectRows(table: Table, columns: readonly Column[]): RowCollector {
  let rows: Row[] = [];
  let rowNumbers: number[] = [];
  let lines: number[] = [];
  let size = 0;
  return {
    add(placed) {
      rows.push(placed.row);
      rowNumbers.push(placed.number);
      if (placed.line !== undefined) lines.push(placed.line);
      size += placed.size;
    },
    take(all = false) {
      const isFull = rows.length >= mostRows || size >= mostBytes;
      if (rows.length === 0 || !(all || isFull)) return undefined;
      const chunk: RowChunk = {
        table,
        columns,
        rows,
        firstRow: rowNumbers[0]!,
        rowNumbers,
        ...(lines.length === 0 ? {} : { lines }),
      };
      [rows, rowNumbers, lines, size] = [[], [], [], 0];
      return chunk;
    },
  };
}
