/** The files of a zip archive, which the server opens on disk and the web studio in memory. */
import type { ByteSource } from './byte-source.ts';

export interface ArchiveFile extends ByteSource {
  readonly comment: string;
  /** Uncompressed size. */
  readonly bytes: number;
  readonly compressedBytes: number;
}
