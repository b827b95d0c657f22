/** An image with indexed colors. The list of colors grows as shapes are painted. */
import { createScanner, wholeCover } from './scan.ts';
import type { Area } from './scan.ts';
import type { Mask } from './glyph-masks.ts';
import type { Polyline } from './outline.ts';

/** Color indexes: 8 bits for at most 256 colors, else 16 bits. */
export type Pixels = Uint8Array | Uint16Array;

export interface Canvas extends Area {
  /** Indexes into `colors`, row by row. */
  readonly pixels: Pixels;
  /** As 0xrrggbb. */
  readonly colors: readonly number[];
  /** Fills an area. */
  fill(lines: readonly Polyline[], color: number): void;
  /** Paints a mask. `at` is the pixel of the mask's origin. */
  stamp(mask: Mask, at: Pixel, color: number): void;
}

interface Pixel {
  readonly column: number;
  readonly row: number;
}

export function createCanvas({ width, height }: Area, ground: number): Canvas {
  // Touching the memory sequentially once is faster than page faults at random addresses later.
  let pixels: Pixels = new Uint8Array(width * height).fill(0);
  const scan = createScanner({ width, height });
  const { colors, blendFor } = createColors(ground, () => {
    pixels = Uint16Array.from(pixels);
  });
  // `blend` must run before the assignment: a new color may replace `pixels` by a 16-bit array.
  const blendPixel = (at: number, blend: Blend, amount: number): void => {
    const index = blend(pixels[at] ?? 0, amount);
    pixels[at] = index;
  };
  return {
    width,
    height,
    get pixels() {
      return pixels;
    },
    colors,
    fill(lines, color) {
      const blend = blendFor(color);
      scan(lines, (from, to, amount) => {
        if (amount === wholeCover && to - from > shortRun) {
          const index = blend(0, amount);
          pixels.fill(index, from, to);
        } else for (let at = from; at < to; at++) blendPixel(at, blend, amount);
      });
    },
    stamp(mask, { column, row }, color) {
      const blend = blendFor(color);
      for (let i = 0; i < mask.length; i += 4) {
        const [y, amount] = [row + (mask[i] ?? 0), mask[i + 3] ?? 0];
        if (y < 0 || y >= height) continue;
        const from = Math.max(0, column + (mask[i + 1] ?? 0));
        const to = Math.min(width, column + (mask[i + 2] ?? 0));
        for (let at = y * width + from; at < y * width + to; at++) blendPixel(at, blend, amount);
      }
    },
  };
}

/** A loop is faster than `fill` for runs of up to this many pixels. */
const shortRun = 24;

/** Returns the index of the blended color. `under` is the index of the covered color. */
type Blend = (under: number, amount: number) => number;

interface Colors {
  readonly colors: readonly number[];
  blendFor(color: number): Blend;
}

const maxColorsIn8Bits = 256;

function createColors(ground: number, onMany: () => void): Colors {
  const colors = [ground];
  const indexOf = (color: number, isAlike: (other: number) => boolean): number => {
    const index = colors.findIndex(isAlike);
    if (index !== -1) return index;
    if (colors.length === maxColorsIn8Bits) onMany();
    return colors.push(color) - 1;
  };
  const indexOfBlend = (under: number, color: number, amount: number): number => {
    if (amount === wholeCover) return indexOf(color, (other) => other === color);
    const mixture = mix(colors[under] ?? ground, color, amount);
    return indexOf(mixture, (other) => looksLike(other, mixture));
  };
  const blends = new Map<number, Blend>();
  const blendFor = (color: number): Blend => {
    const cached = blends.get(color);
    if (cached !== undefined) return cached;
    const blendsByAmount = Array.from({ length: wholeCover + 1 }, (): number[] => []);
    const blend: Blend = (under, amount) => {
      const blendByUnder = blendsByAmount[amount] ?? [];
      return (blendByUnder[under] ??= indexOfBlend(under, color, amount));
    };
    blends.set(color, blend);
    return blend;
  };
  return { colors, blendFor };
}

function mix(under: number, over: number, amount: number): number {
  const channel = (shift: number): number => {
    const [a, b] = [(under >> shift) & 0xff, (over >> shift) & 0xff];
    return Math.round(a + ((b - a) * amount) / wholeCover) << shift;
  };
  return channel(16) | channel(8) | channel(0);
}

/** Merges indistinguishable shades: antialiasing alone should not exceed the 256 colors of a palette. */
function looksLike(a: number, b: number): boolean {
  return [16, 8, 0].every((shift) => Math.abs(((a >> shift) & 0xff) - ((b >> shift) & 0xff)) <= 2);
}
