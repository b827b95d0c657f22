import type { RowChunk } from '../model/load.ts';
import type { Column, Table } from '../model/schema.ts';
import type { Row } from '../model/values.ts';

/** A row and its position in the file. */
interface FileRow {
  readonly row: Row;
  readonly number: number;
  readonly line?: number;
  /** Approximate size in the file, in bytes. */
  readonly size: number;
}

/** Collects rows of one table, all with the same columns, into batches. */
export interface RowCollector {
  add(row: FileRow): void;
  /** A batch if enough rows are collected; with `flush`, whatever rows there are. */
  take(flush?: boolean): RowChunk | undefined;
}

const maxRows = 500;
const maxBytes = 1024 * 1024;

export function createRowCollector(table: Table, columns: readonly Column[]): RowCollector {
  let rows: Row[] = [];
  let rowNumbers: number[] = [];
  let lines: number[] = [];
  let size = 0;
  return {
    add({ row, number, line, size: rowSize }) {
      rows.push(row);
      rowNumbers.push(number);
      if (line !== undefined) lines.push(line);
      size += rowSize;
    },
    take(flush = false) {
      const isFull = rows.length >= maxRows || size >= maxBytes;
      if (rows.length === 0 || !(flush || isFull)) return undefined;
      const batch: RowChunk = {
        table,
        columns,
        rows,
        firstRow: rowNumbers[0]!,
        rowNumbers,
        ...(lines.length === 0 ? {} : { lines }),
      };
      [rows, rowNumbers, lines, size] = [[], [], [], 0];
      return batch;
    },
  };
}
