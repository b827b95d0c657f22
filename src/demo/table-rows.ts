import type { Row } from '../model/values.ts';

/** A table's rows, with the columns that they give; the others fill themselves. */
export interface TableRows {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}
