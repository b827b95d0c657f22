/** Pixels of few colours, as the places of those in a list. */
import { createScanner, wholeCover } from './scan.ts';
import type { Area } from './scan.ts';
import type { Mask } from './glyph-masks.ts';
import type { Polyline } from './outline.ts';

/** Of 16 bits where the colours are too many for 8. */
export type Pixels = Uint8Array | Uint16Array;

export interface Canvas extends Area {
  /** Row by row. */
  readonly pixels: Pixels;
  /** As 0xrrggbb. */
  readonly colours: readonly number[];
  /** Paints an area. */
  fill(lines: readonly Polyline[], colour: number): void;
  /** Paints a mask; `at` is the pixel that its origin is in. */
  stamp(mask: Mask, at: Pixel, colour: number): void;
}

interface Pixel {
  readonly column: number;
  readonly row: number;
}

export function createCanvas({ width, height }: Area, ground: number): Canvas {
  // Memory that is written from its start to its end is had sooner than here and there.
  let pixels: Pixels = new Uint8Array(width * height).fill(0);
  const scan = createScanner({ width, height });
  const { colours, inkOf } = createColours(ground, () => {
    pixels = Uint16Array.from(pixels);
  });
  // The colour first: a new one may be more than the pixels can hold, and they are others then.
  const cover = (at: number, ink: Ink, amount: number): void => {
    const place = ink(pixels[at] ?? 0, amount);
    pixels[at] = place;
  };
  return {
    width,
    height,
    get pixels() {
      return pixels;
    },
    colours,
    fill(lines, colour) {
      const ink = inkOf(colour);
      scan(lines, (from, to, amount) => {
        if (amount === wholeCover && to - from > short) {
          const place = ink(0, amount);
          pixels.fill(place, from, to);
        } else for (let at = from; at < to; at++) cover(at, ink, amount);
      });
    },
    stamp(mask, { column, row }, colour) {
      const ink = inkOf(colour);
      for (let i = 0; i < mask.length; i += 4) {
        const [y, amount] = [row + (mask[i] ?? 0), mask[i + 3] ?? 0];
        if (y < 0 || y >= height) continue;
        const from = Math.max(0, column + (mask[i + 1] ?? 0));
        const to = Math.min(width, column + (mask[i + 2] ?? 0));
        for (let at = y * width + from; at < y * width + to; at++) cover(at, ink, amount);
      }
    },
  };
}

/** So many pixels are written sooner one by one. */
const short = 24;

/** The place of what is seen where a colour covers a part of another, given by its place. */
type Ink = (under: number, amount: number) => number;

interface Colours {
  readonly colours: readonly number[];
  inkOf(colour: number): Ink;
}

const mostIn8Bits = 256;

function createColours(ground: number, onMany: () => void): Colours {
  const colours = [ground];
  const placeOf = (colour: number, isAlike: (other: number) => boolean): number => {
    const place = colours.findIndex(isAlike);
    if (place !== -1) return place;
    if (colours.length === mostIn8Bits) onMany();
    return colours.push(colour) - 1;
  };
  const made = (under: number, colour: number, amount: number): number => {
    if (amount === wholeCover) return placeOf(colour, (other) => other === colour);
    const mixture = mix(colours[under] ?? ground, colour, amount);
    return placeOf(mixture, (other) => looksLike(other, mixture));
  };
  const inks = new Map<number, Ink>();
  const inkOf = (colour: number): Ink => {
    const known = inks.get(colour);
    if (known !== undefined) return known;
    const places = Array.from({ length: wholeCover + 1 }, (): number[] => []);
    const ink: Ink = (under, amount) => {
      const byUnder = places[amount] ?? [];
      return (byUnder[under] ??= made(under, colour, amount));
    };
    inks.set(colour, ink);
    return ink;
  };
  return { colours, inkOf };
}

function mix(under: number, over: number, amount: number): number {
  const channel = (shift: number): number => {
    const [a, b] = [(under >> shift) & 0xff, (over >> shift) & 0xff];
    return Math.round(a + ((b - a) * amount) / wholeCover) << shift;
  };
  return channel(16) | channel(8) | channel(0);
}

/** As no eye could tell: what edges are smoothed with need not be more colours than a palette has. */
function looksLike(a: number, b: number): boolean {
  return [16, 8, 0].every((shift) => Math.abs(((a >> shift) & 0xff) - ((b >> shift) & 0xff)) <= 2);
}
