import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Configuration files are far smaller. */
const maxBytes = 262_144;

/**
 * Returns the text of a regular file of at most 256 KiB, else undefined. Never waits for a named pipe and
 * never reads a device, since the folder may be someone else's.
 */
export function readSmallFile(path: string): string | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch {
    return undefined;
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size > maxBytes) return undefined;
    const buffer = Buffer.alloc(maxBytes);
    return buffer.toString('utf8', 0, readSync(file, buffer, 0, maxBytes, 0));
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}
