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
    return decode(buffer.subarray(0, readSync(file, buffer, 0, maxBytes, 0)));
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}

/** Editors and shells of Windows write UTF-16 and byte order marks. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isBigEndian = first === 0xfe && second === 0xff;
  const isLittleEndian = first === 0xff && second === 0xfe;
  const encoding = isBigEndian ? 'utf-16be' : isLittleEndian ? 'utf-16le' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}
