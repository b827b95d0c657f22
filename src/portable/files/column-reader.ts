import type { Value } from '../../model/values.ts';

/** Reads the text cells of one column. */
export interface ColumnReader {
  read(text: string): Value;
  /** The value of an empty cell. */
  readonly empty: Value;
}
