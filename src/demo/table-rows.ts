import type { Row } from '../model/values.ts';

/** The rows of a table and the columns that they contain. Other columns get their defaults. */
export interface TableRows {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}
