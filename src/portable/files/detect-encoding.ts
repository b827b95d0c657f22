/** Finds the encoding of a text file by its first bytes. */

const boms: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** The encoding of text that is not UTF-8. It maps every byte to a character. */
export const fallbackEncoding = 'windows-1252';

/** The number of bytes that `encodingOfStart` needs, unless the file is shorter. */
export const minStartBytes = 4;

/** The encoding that a byte order mark or the bytes of UTF-16 show. Undefined if there is neither. */
export function encodingOfStart(first: Uint8Array): string | undefined {
  const marked = boms.find(([, mark]) => mark.every((byte, i) => first[i] === byte));
  return marked?.[0] ?? utf16WithoutMark(first);
}

/** Two ASCII characters, each beside a zero byte: text in no other encoding begins like that. */
function utf16WithoutMark(first: Uint8Array): string | undefined {
  const [a, b, c, d] = first;
  if (first.length < minStartBytes) return undefined;
  if (isAscii(a) && b === 0 && isAscii(c) && d === 0) return 'utf-16le';
  return a === 0 && isAscii(b) && c === 0 && isAscii(d) ? 'utf-16be' : undefined;
}

function isAscii(byte: number | undefined): boolean {
  return byte !== undefined && byte > 0 && byte < 0x80;
}
