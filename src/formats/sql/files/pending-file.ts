import type { ByteSource } from '../../../portable/files/byte-source.ts';
import type { CopyField } from '../insert/copy-fields.ts';
import type { RowGroup } from '../insert/row-groups.ts';
import type { DataFile } from './data-file.ts';

/** A file of rows that a statement names. */
export interface PendingRows {
  readonly kind: 'rows';
  readonly file: DataFile;
  readonly group: RowGroup<CopyField>;
}

/** A script that is read in place of the statement that names it. */
export interface PendingScript {
  readonly kind: 'script';
  readonly source: ByteSource;
  /** The line of the statement. */
  readonly line: number;
}

export type PendingFile = PendingRows | PendingScript;
