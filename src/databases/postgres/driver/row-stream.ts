import { timeoutError } from '../../cancel-statement.ts';
import type { Query, RunOptions } from '../../../model/database.ts';
import type { RowStream } from '../../../model/rows.ts';
import type { ColumnInfo } from '../../../model/schema.ts';
import type { Row, Value } from '../../../model/values.ts';

export interface Batch<Field> {
  readonly rows: readonly Value[][];
  readonly fields: readonly Field[];
  /** Known after the last row; undefined for statements that only return rows. */
  readonly rowsAffected?: number | undefined;
}

/** A cursor of the server. */
export interface RowSource<Field> {
  read(rows: number, options: RunOptions): Promise<Batch<Field>>;
  close(): Promise<void>;
  /** Converts texts of the server to values, in place. */
  decode(columns: readonly ColumnInfo[], rows: readonly Value[][]): void;
  columnsOf(fields: readonly Field[]): Promise<readonly ColumnInfo[]>;
}

const firstBatchRows = 100;
const maxBatchRows = 1000;
const batchCharacters = 1_000_000;

/** Reads the rows of a cursor in batches of about the same size in characters. */
export async function readRows<Field>(
  source: RowSource<Field>,
  statement: { readonly query: Query; readonly runOptions: RunOptions },
): Promise<RowStream> {
  const limits = limitsFrom(statement.runOptions);
  try {
    const first = await source.read(firstBatchRows, limits());
    const columns = statement.query.columns ?? (await source.columnsOf(first.fields));
    let last = first;
    const onBatch = (batch: Batch<Field>): void => void (last = batch);
    return {
      columns,
      batches: batchesOf({ source, columns, limits, onBatch }, first.rows),
      rowsAffected: () => last.rowsAffected,
    };
  } catch (error) {
    await source.close();
    throw error;
  }
}

/** The options for the next read. The time limit applies to all reads together. */
function limitsFrom(options: RunOptions): () => RunOptions {
  const { limitMs } = options;
  const deadline = limitMs === undefined ? undefined : performance.now() + limitMs;
  return () => {
    const remainingMs = deadline === undefined ? undefined : deadline - performance.now();
    if (remainingMs !== undefined && remainingMs <= 0) throw timeoutError(limitMs ?? 0);
    return {
      ...options,
      ...(remainingMs === undefined ? {} : { limitMs: remainingMs }),
    };
  };
}

interface CursorRead<Field> {
  readonly source: RowSource<Field>;
  readonly columns: readonly ColumnInfo[];
  readonly limits: () => RunOptions;
  readonly onBatch: (batch: Batch<Field>) => void;
}

async function* batchesOf<Field>(
  { source, columns, limits, onBatch }: CursorRead<Field>,
  first: readonly Value[][],
): AsyncGenerator<readonly Row[]> {
  try {
    let rows = first;
    let requestedRows = firstBatchRows;
    while (rows.length > 0) {
      const isLast = rows.length < requestedRows;
      requestedRows = nextBatchRows(rows);
      source.decode(columns, rows);
      yield rows;
      if (isLast) return;
      const batch = await source.read(requestedRows, limits());
      onBatch(batch);
      rows = batch.rows;
    }
  } finally {
    await source.close();
  }
}

function nextBatchRows(rows: readonly Value[][]): number {
  let characters = 0;
  for (const row of rows) {
    for (const value of row) characters += typeof value === 'string' ? value.length : 0;
  }
  const perRow = Math.max(1, characters / rows.length);
  return Math.min(maxBatchRows, Math.max(1, Math.floor(batchCharacters / perRow)));
}
