import { writeSync } from 'node:fs';

/** Writes all of it to a blocking descriptor: when the reader is slow, this waits. */
export function writeWhole(descriptor: number, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) written += writeSync(descriptor, bytes, written);
}
