/** What the page shows of a file before the upload. */
export interface FilePreview {
  /** The first rows of a file that does not name their table. */
  readonly head?: FileHead;
  /** The first rows of each table that the file names. */
  readonly tables?: readonly TableHead[];
  /** The encoding of a CSV file, or of its first bytes if the user has not named it. */
  readonly encoding?: string;
  /** The delimiter of a CSV file. Undefined if the file itself declares it. */
  readonly delimiter?: string;
  /** The sheets of a workbook, and the previewed one. */
  readonly sheets?: readonly string[];
  readonly sheet?: string;
  /** The name of the sheet or of the file in an archive. It can suggest the table. */
  readonly title?: string;
  /** The number of rows, if they were counted. */
  readonly rows?: number;
  /** The start of the text of a file without rows, such as SQL. */
  readonly start?: string;
  /** Why there is no preview. */
  readonly error?: unknown;
}

/** The header and the first rows of a file. */
export interface FileHead {
  /** As a mapping calls them: each is another one. */
  readonly columns: readonly string[];
  readonly rows: readonly FileRow[];
  /** All rows that were read to show the formats of their values. Absent if the file stores typed values. */
  readonly sample?: readonly FileRow[];
  /** Which of its cells a workbook stores as numbers: no format of texts concerns them. */
  readonly numbers?: readonly (readonly boolean[])[];
  /** The program that wrote the file quotes every field, NULL too. */
  readonly isEmptyTextMissing?: boolean;
}

/** Null means NULL, or a field without any text, not even quotes. */
export type FileRow = readonly (string | null)[];

export interface TableHead {
  readonly table: string;
  /** The sheet, or the file in an archive, if it can be imported into another table. */
  readonly part?: string;
  readonly head: FileHead;
}

/** How to read a file. Missing options are detected. */
export interface ReadOptions {
  readonly delimiter?: string | undefined;
  readonly encoding?: string | undefined;
  readonly sheet?: string | undefined;
  /** The quote of a CSV file. Default: a double quote. */
  readonly quote?: string | undefined;
  /** False if the first row is not one of names. Default: true. */
  readonly hasHeader?: boolean | undefined;
  /** The number of records or rows before the header. Default: 0. */
  readonly skipRows?: number | undefined;
}

/** The number of bytes that contain the first rows of almost any file. */
export const headBytes = 64 * 1024;

export const rowsShown = 5;

/** In place of the name of a sheet. Excel does not accept the character in names. */
export const allSheets = '*';

/** The names by which a mapping calls the columns of a file without a header. */
export function numberedColumns(count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => `column ${i + 1}`);
}
