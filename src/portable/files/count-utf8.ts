/** Tells UTF-8 with a few damaged characters from text in another encoding. */
import { fallbackEncoding } from './detect-encoding.ts';

/** What has been counted of a file. Its chunks may end within a character. */
export interface Utf8Count {
  /** Characters of several bytes. */
  characters: number;
  /** Bytes outside of any character. */
  invalidBytes: number;
  /** The bytes that complete the last character. */
  missingBytes: number;
}

export function createUtf8Count(): Utf8Count {
  return { characters: 0, invalidBytes: 0, missingBytes: 0 };
}

export function countUtf8(count: Utf8Count, bytes: Uint8Array): void {
  for (const byte of bytes) {
    if (count.missingBytes > 0) {
      if ((byte & 0xc0) === 0x80) {
        if (--count.missingBytes === 0) count.characters++;
        continue;
      }
      count.invalidBytes++;
      count.missingBytes = 0;
    }
    if (byte < 0x80) continue;
    count.missingBytes = continuationBytes(byte);
    if (count.missingBytes === 0) count.invalidBytes++;
  }
}

/** The number of bytes that follow the first one of a character; 0 if no character begins with it. */
function continuationBytes(byte: number): number {
  if (byte < 0xc2 || byte > 0xf4) return 0;
  if (byte < 0xe0) return 1;
  return byte < 0xf0 ? 2 : 3;
}

/**
 * The encoding of a file that is not valid UTF-8. Text in another encoding has a character of UTF-8 only by
 * chance, between many bytes that are none.
 */
export function encodingOfInvalidUtf8({ characters, invalidBytes }: Utf8Count): string {
  return characters > 0 && characters >= 2 * invalidBytes ? 'utf-8' : fallbackEncoding;
}
