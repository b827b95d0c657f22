import { writeSync } from 'node:fs';

/** Writes all bytes to a blocking descriptor. Waits for a slow reader. */
export function writeWhole(descriptor: number, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) written += writeSync(descriptor, bytes, written);
}
