/** A virtual table that a row of SQLite's schema defines. */
export interface VirtualTable {
  readonly name: string;
  /** The statement that creates it. */
  readonly sql: string;
  readonly module: string;
  /** The shadow table whose rows are those of the virtual table, after a number. Undefined if none has them. */
  readonly content: string | undefined;
  /** It can be created. Its rows come from the content table, or are those of another table that it names. */
  readonly isCreated: boolean;
  /** Rows so far. */
  rows: number;
}
