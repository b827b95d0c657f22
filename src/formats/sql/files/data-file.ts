/** Rows of a script that are in a file of their own. */
import type { ByteSource } from '../../../portable/files/byte-source.ts';
import type { Charset } from '../../../sql/script-settings.ts';
import type { CopyField } from '../insert/copy-fields.ts';

/** The part of a file that has been read. */
export interface FileText {
  readonly text: string;
  /** The offset of the next record. */
  readonly at: number;
  /** The file ends with the text. */
  readonly isLast: boolean;
}

export interface FileRecord {
  readonly fields: readonly CopyField[];
  /** The offset of the next record. */
  readonly end: number;
}

export interface RecordFormat {
  /** The next record; `incomplete` if the text does not contain all of it, `end` if there is none. */
  readRecord(text: FileText): FileRecord | 'incomplete' | 'end';
  /** The offset after the next line that is skipped before the rows; undefined if the text does not contain it. */
  skipLine(text: FileText): number | undefined;
  /** The number of skipped lines. */
  readonly skippedLines: number;
  /** The number of the last record that is imported, from 1. All when absent. */
  readonly lastRecord?: number | undefined;
  /** The statement says where lines end, which may be wrong: a file with text but without rows needs a warning. */
  readonly shouldWarnWithoutRows?: boolean;
}

/** `utf-16` is that of the byte order mark, or little-endian. */
export type FileEncoding = Charset | 'utf-16';

/** A file of rows. */
export interface DataFile {
  readonly source: ByteSource;
  /** Undefined: that of the request, or UTF-8. */
  readonly encoding: FileEncoding | undefined;
  readonly format: RecordFormat;
}
