import type { RowChunk, RowError } from './load.ts';

/** Selects rows of a chunk. They keep their positions in the file. */
export function sliceChunk<C extends RowChunk>(chunk: C, from: number, to: number): C {
  if (from === 0 && to >= chunk.rows.length) return chunk;
  const { rowNumbers, lines } = chunk;
  return {
    ...chunk,
    rows: chunk.rows.slice(from, to),
    firstRow: chunk.firstRow + from,
    ...(rowNumbers === undefined ? {} : { rowNumbers: rowNumbers.slice(from, to) }),
    ...(lines === undefined ? {} : { lines: lines.slice(from, to) }),
  };
}

/** Selects rows of a chunk by their indexes. They keep their positions in the file. */
export function pickRows<C extends RowChunk>(chunk: C, indexes: readonly number[]): C {
  if (indexes.length === chunk.rows.length) return chunk;
  const { lines } = chunk;
  return {
    ...chunk,
    rows: indexes.map((i) => chunk.rows[i] ?? []),
    rowNumbers: indexes.map((i) => filePositionOf(chunk, i).row),
    ...(lines === undefined ? {} : { lines: indexes.map((i) => lines[i] ?? 0) }),
  };
}

/** The position of a row in the file. */
export function filePositionOf(
  {
    firstRow,
    rowNumbers,
    lines,
    source,
  }: Pick<RowChunk, 'firstRow' | 'rowNumbers' | 'lines' | 'source'>,
  index: number,
): Pick<RowError, 'source' | 'line'> & { readonly row: number } {
  const row = rowNumbers?.[index] ?? firstRow + index;
  const line = lines?.[index];
  return {
    ...(source === undefined ? {} : { source }),
    row,
    ...(line === undefined ? {} : { line }),
  };
}
