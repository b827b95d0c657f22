import type { TextPosition } from '../model/values/exact-json.ts';

const LF = 0x0a;

/** The position after UTF-8 bytes that begin at `position`. */
export function advancePosition(position: TextPosition, bytes: Buffer): TextPosition {
  if (bytes.length === 1 && bytes[0]! < 0x80) return advanceByOne(position, bytes[0]!);
  const last = bytes.lastIndexOf(LF);
  const column = countCharacters(last === -1 ? bytes : bytes.subarray(last + 1));
  if (last === -1) return { line: position.line, column: position.column + column };
  return { line: position.line + countLineBreaks(bytes), column: column + 1 };
}

/** Shortcut for a single ASCII character: most calls are for a comma or a line break. */
function advanceByOne({ line, column }: TextPosition, code: number): TextPosition {
  return code === LF ? { line: line + 1, column: 1 } : { line, column: column + 1 };
}

function countLineBreaks(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) count++;
  return count;
}

/** Counts all bytes except UTF-8 continuation bytes. */
function countCharacters(bytes: Buffer): number {
  let count = 0;
  for (let i = 0; i < bytes.length; i++) if ((bytes[i]! & 0xc0) !== 0x80) count++;
  return count;
}
