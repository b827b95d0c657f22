/** A zip archive's files, whoever opened it: on the server's disk, or in a browser. */
import type { ByteSource } from './reading.ts';

export interface PackedFile extends ByteSource {
  readonly comment: string;
  readonly bytes: number;
  /** What it takes in the archive. */
  readonly packedBytes: number;
}
