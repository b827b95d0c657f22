import type { ColumnInfo } from './schema.ts';
import type { Row } from './values.ts';

/** The rows of a result in batches of 100 to 1,000, to be read once. */
export interface RowStream {
  readonly columns: readonly ColumnInfo[];
  readonly batches: AsyncIterable<readonly Row[]>;
  /**
   * Number of rows that the statement wrote, available after the last batch; undefined where the
   * server counts only the returned rows.
   */
  readonly rowsAffected?: () => number | undefined;
}
