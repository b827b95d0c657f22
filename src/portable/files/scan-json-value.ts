/** Finds the end of JSON values in bytes, without validating them. */
import { maxJsonDepth } from '../../model/values/exact-json.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

export const INCOMPLETE = -1;
/** Nested more deeply than `deepestJson`. */
export const TOO_DEEP = -2;

/** Arrays of rows are searched for in objects of up to this depth, below the document. */
export const maxObjectDepth = 4;

/** The offset of the end of the value at `from`, or INCOMPLETE or TOO_DEEP. */
export function endOfValue(bytes: Uint8Array, from: number): number {
  const first = bytes[from];
  if (first === QUOTE) return endOfString(bytes, from);
  if (first === OPEN_OBJECT || first === OPEN_ARRAY) return endOfNested(bytes, from);
  return endOfWord(bytes, from);
}

function endOfNested(bytes: Uint8Array, from: number): number {
  const { length } = bytes;
  let depth = 0;
  let at = from;
  while (at < length) {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      at = endOfString(bytes, at);
      if (at === INCOMPLETE) return INCOMPLETE;
      continue;
    }
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (++depth > maxJsonDepth) return TOO_DEEP;
    } else if ((byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) && --depth === 0) return at + 1;
    at++;
  }
  return INCOMPLETE;
}

function endOfString(bytes: Uint8Array, from: number): number {
  const { length } = bytes;
  for (let at = from + 1; at < length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    if (byte === BACKSLASH) at++;
  }
  return INCOMPLETE;
}

/** Ends a number, a literal or anything else at punctuation or white space. */
function endOfWord(bytes: Uint8Array, from: number): number {
  let at = from + 1;
  while (at < bytes.length && isWordByte(bytes[at]!)) at++;
  return at === bytes.length ? INCOMPLETE : at;
}

/** Neither white space nor one of `" , : [ ] { }`. */
function isWordByte(byte: number): boolean {
  return (
    byte > 0x20 &&
    byte !== QUOTE &&
    byte !== 0x2c &&
    byte !== 0x3a &&
    byte !== OPEN_ARRAY &&
    byte !== CLOSE_ARRAY &&
    byte !== OPEN_OBJECT &&
    byte !== CLOSE_OBJECT
  );
}

export function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
