/** Finds the encoding of a text file by its first bytes. */

/** Longer marks come first: that of UTF-32 begins with that of UTF-16. */
const boms: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ['utf-32le', [0xff, 0xfe, 0, 0]],
  ['utf-32be', [0, 0, 0xfe, 0xff]],
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** The encoding that a byte order mark shows. It wins over the one that a request names, as in browsers. */
export function encodingOfMark(first: Uint8Array): string | undefined {
  return boms.find(([, mark]) => mark.every((byte, i) => first[i] === byte))?.[0];
}

/** The encoding of text that is not UTF-8. It maps every byte to a character. */
export const fallbackEncoding = 'windows-1252';

/** The number of bytes that `encodingOfStart` needs, unless the file is shorter. */
export const minStartBytes = 4;

/** The encoding that a byte order mark or zero bytes show. Undefined if there is neither. */
export function encodingOfStart(first: Uint8Array): string | undefined {
  return encodingOfMark(first) ?? encodingWithoutMark(first);
}

/** Two characters of Latin-1, each beside a zero byte, or one beside three: text in no other encoding begins like that. */
function encodingWithoutMark(first: Uint8Array): string | undefined {
  if (first.length < minStartBytes) return undefined;
  const zeros = [...first.subarray(0, minStartBytes)].map((byte) => (byte === 0 ? '0' : 'x'));
  return encodingOfZeros[zeros.join('')];
}

const encodingOfZeros: Readonly<Record<string, string>> = {
  x0x0: 'utf-16le',
  '0x0x': 'utf-16be',
  x000: 'utf-32le',
  '000x': 'utf-32be',
};
