import type { ColumnType } from '../../../model/schema.ts';

/** VECTOR of MySQL and MariaDB: 32-bit floats, little-endian. */
export function isVector(type: ColumnType): boolean {
  return type.kind === 'other' && type.name === 'vector';
}

/** `[1,2.5]` with the fewest exact digits per number: VECTOR_TO_STRING returns six of nine digits. */
export function vectorText(bytes: Uint8Array): string | undefined {
  if (bytes.byteLength % 4 !== 0) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const numbers = Array.from({ length: bytes.byteLength / 4 }, (_, i) =>
    shortestSingle(view.getFloat32(i * 4, true)),
  );
  return `[${numbers.join(',')}]`;
}

/** The shortest digits that give the same single-precision number. */
function shortestSingle(value: number): string {
  if (Object.is(value, -0)) return '-0';
  for (let digits = 6; digits < 9; digits++) {
    const text = String(Number(value.toPrecision(digits)));
    if (Math.fround(Number(text)) === value) return text;
  }
  return String(Number(value.toPrecision(9)));
}

const numberPattern = /^\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?\s*$/i;

/** Undefined for a text that is not a vector of finite numbers. */
export function vectorBytes(text: string): Buffer | undefined {
  const inside = /^\s*\[([^[\]]*)\]\s*$/.exec(text)?.[1];
  if (inside === undefined) return undefined;
  const numbers = inside.split(',');
  const bytes = Buffer.alloc(numbers.length * 4);
  for (const [i, digits] of numbers.entries()) {
    const value = Math.fround(Number(digits));
    if (!numberPattern.test(digits) || !Number.isFinite(value)) return undefined;
    bytes.writeFloatLE(value, i * 4);
  }
  return bytes;
}
