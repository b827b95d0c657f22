/** Tells text in windows-1252 from text in an encoding of other languages, by how its bytes follow each other. */

/** What has been counted of a file. */
export interface ByteCount {
  /** Bytes beyond ASCII. */
  high: number;
  /** Of them, those in runs of three or more: letters of other scripts, or characters of two bytes. */
  inRuns: number;
  /** Bytes that windows-1252 has no character for. */
  undefinedBytes: number;
  /** Bytes between two letters that windows-1252 has a symbol for, such as `³`; Polish and Romanian have letters there. */
  symbolsInWords: number;
  run: number;
  /** The last two bytes. */
  before: readonly [number, number];
}

export function createByteCount(): ByteCount {
  return { high: 0, inRuns: 0, undefinedBytes: 0, symbolsInWords: 0, run: 0, before: [0, 0] };
}

const undefinedInWestern: ReadonlySet<number> = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);
/** `£ ¥ ª ³ ¹ º ¼ ¾ ¿`, which stand at the ends of words or alone. */
const symbols: ReadonlySet<number> = new Set([
  0xa3, 0xa5, 0xaa, 0xb3, 0xb9, 0xba, 0xbc, 0xbe, 0xbf,
]);

export function countBytes(count: ByteCount, bytes: Uint8Array): void {
  let [first, second] = count.before;
  for (const byte of bytes) {
    if (symbols.has(second) && isLetter(first) && isLetter(byte)) count.symbolsInWords++;
    first = second;
    second = byte;
    if (byte < 0x80) {
      count.run = 0;
      continue;
    }
    count.high++;
    count.run++;
    if (count.run === minRun) count.inRuns += minRun;
    else if (count.run > minRun) count.inRuns++;
    if (undefinedInWestern.has(byte)) count.undefinedBytes++;
  }
  count.before = [first, second];
}

const minRun = 3;

function isLetter(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
}

/** A short text such as `äöüß` is Western too. */
const minBytesInRuns = 8;

export function isWesternText(count: ByteCount): boolean {
  const { high, inRuns, undefinedBytes, symbolsInWords } = count;
  const hasOtherScript = inRuns >= minBytesInRuns && inRuns * 2 > high;
  return !hasOtherScript && undefinedBytes === 0 && symbolsInWords === 0;
}
