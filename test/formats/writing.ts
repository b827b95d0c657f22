import { columnOf, tableOf } from '../sql/neutral-schema.ts';
import type { FileChunks, TableRows, TableStream } from '../../src/formats/row-export.ts';
import type { Column, ColumnType } from '../../src/model/schema.ts';
import type { Row } from '../../src/model/values.ts';

const text: ColumnType = { kind: 'text' };
export const int: ColumnType = { kind: 'integer', bits: 64 };

export function nullable(name: string, type: ColumnType = text): Column {
  return columnOf(name, type, { nullable: true });
}

/** The rows of a table in small batches. */
export function rowsOf(
  name: string,
  columns: readonly Column[],
  rows: readonly Row[],
  batchRows = 3,
): TableRows {
  return { table: tableOf(name, columns), columns, batches: batchesOf(rows, batchRows) };
}

async function* batchesOf(rows: readonly Row[], size: number): AsyncGenerator<readonly Row[]> {
  for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size);
}

export async function* tablesOf(...tables: readonly TableRows[]): TableStream {
  yield* tables;
}

export async function bytesOf(parts: FileChunks): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const part of parts) chunks.push(typeof part === 'string' ? Buffer.from(part) : part);
  return Buffer.concat(chunks);
}

export async function textOf(parts: FileChunks): Promise<string> {
  return (await bytesOf(parts)).toString();
}
