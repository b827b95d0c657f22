import type { ColumnInfo } from './schema.ts';
import type { Row } from './values.ts';

/** Rows as they come: batches of 100 to 1,000, read once. */
export interface RowStream {
  readonly columns: readonly ColumnInfo[];
  readonly batches: AsyncIterable<readonly Row[]>;
  /**
   * Rows that the statement wrote, known behind the last batch; undefined where the server counts
   * only the rows that it returns.
   */
  readonly rowsAffected?: () => number | undefined;
}
