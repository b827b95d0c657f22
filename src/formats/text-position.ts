import type { TextPlace } from '../model/exact-json.ts';

const LF = 0x0a;

/** The place behind a stretch of UTF-8 that begins at a place. */
export function placeBehind(place: TextPlace, bytes: Buffer): TextPlace {
  if (bytes.length === 1 && bytes[0]! < 0x80) return behindSign(place, bytes[0]!);
  const last = bytes.lastIndexOf(LF);
  const column = characters(last === -1 ? bytes : bytes.subarray(last + 1));
  if (last === -1) return { line: place.line, column: place.column + column };
  return { line: place.line + lineBreaks(bytes), column: column + 1 };
}

/** Most stretches are a comma or a line break. */
function behindSign({ line, column }: TextPlace, sign: number): TextPlace {
  return sign === LF ? { line: line + 1, column: 1 } : { line, column: column + 1 };
}

function lineBreaks(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) count++;
  return count;
}

/** Every byte but those that go on a character. */
function characters(bytes: Buffer): number {
  let count = 0;
  for (let i = 0; i < bytes.length; i++) if ((bytes[i]! & 0xc0) !== 0x80) count++;
  return count;
}
