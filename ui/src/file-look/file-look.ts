/** What is seen of a file in the browser, before any of it is sent. */
export interface FileLook {
  /** Rows that name no table. */
  readonly head?: FileHead;
  /** Rows under the tables that the file itself names. */
  readonly tables?: readonly TableHead[];
  /** What parts the fields of a CSV file, where that is for a person to say. */
  readonly delimiter?: string;
  /** The sheets of a workbook, and the one that was looked at. */
  readonly sheets?: readonly string[];
  readonly sheet?: string;
  /** What the rows are called in the file. */
  readonly title?: string;
  /** How many rows there are, where they were counted. */
  readonly rows?: number;
  /** How a text begins that has no rows to be shown. */
  readonly start?: string;
  /** Why nothing is seen. */
  readonly trouble?: unknown;
}

/** How a file of rows begins. */
export interface FileHead {
  readonly columns: readonly string[];
  readonly rows: readonly FileRow[];
}

/** Null is NULL, or a field without anything in it, not even quotes. */
export type FileRow = readonly (string | null)[];

export interface TableHead {
  readonly table: string;
  readonly head: FileHead;
}

/** How a file is to be read; what is not said is found out. */
export interface Manner {
  readonly delimiter?: string | undefined;
  readonly encoding?: string | undefined;
  readonly sheet?: string | undefined;
}

/** Enough for the first rows of almost any file. */
export const headBytes = 64 * 1024;

export const rowsShown = 5;
