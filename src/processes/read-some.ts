import { readSync } from 'node:fs';

const CHUNK_BYTES = 64 * 1024;
const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);

/** Reads the available bytes. Blocks until there is at least one; returns none at the end. */
export function readSome(descriptor: number): Buffer {
  return Buffer.from(buffer.subarray(0, readSync(descriptor, buffer)));
}
