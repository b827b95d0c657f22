import { readSync } from 'node:fs';

const CHUNK_BYTES = 64 * 1024;
const room = Buffer.allocUnsafeSlow(CHUNK_BYTES);

/** The bytes that are there by now, at least one, for which it blocks; none at the end. */
export function readSome(descriptor: number): Buffer {
  return Buffer.from(room.subarray(0, readSync(descriptor, room)));
}
