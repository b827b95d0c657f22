/** Glyphs as pixels, each made once. */
import type { Glyph } from 'fontkit';
import type { FontFile } from '../fonts.ts';
import { createPen, drawGlyph } from './outline.ts';
import type { Polyline } from './outline.ts';
import { createScanner } from './scan.ts';

/** How much of each pixel is covered, row by row, beside a pixel that its origin is in. */
export interface Mask {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly cover: Uint8Array;
}

export interface GlyphOrder {
  readonly file: FontFile;
  readonly glyph: Glyph;
  /** In pixels. */
  readonly size: number;
  /** Where in its pixel the origin is, in quarters of one. */
  readonly across: number;
  readonly down: number;
}

/** A glyph's origin is moved by no more than half of this. */
export const stepsInPixel = 4;

export function createGlyphMasks(): (order: GlyphOrder) => Mask {
  const known = new Map<FontFile, Map<string, Mask>>();
  return (order) => {
    const { file, glyph, size, across, down } = order;
    const masks = known.get(file) ?? new Map<string, Mask>();
    known.set(file, masks);
    const key = `${glyph.id} ${size} ${across} ${down}`;
    const mask = masks.get(key) ?? maskOf(order);
    masks.set(key, mask);
    return mask;
  };
}

function maskOf({ file, glyph, size, across, down }: GlyphOrder): Mask {
  const scale = size / file.font.unitsPerEm;
  const [dx, dy] = [across / stepsInPixel, down / stepsInPixel];
  const pen = createPen(({ x, y }) => ({ x: x * scale + dx, y: dy - y * scale }));
  drawGlyph(glyph.path.commands, pen);
  return maskAround(pen.lines);
}

function maskAround(lines: readonly Polyline[]): Mask {
  const points = lines.flatMap((line) => line.points);
  if (points.length === 0) return { left: 0, top: 0, width: 0, height: 0, cover: new Uint8Array() };
  const left = Math.floor(Math.min(...points.map(({ x }) => x)));
  const top = Math.floor(Math.min(...points.map(({ y }) => y)));
  const width = Math.ceil(Math.max(...points.map(({ x }) => x))) - left;
  const height = Math.ceil(Math.max(...points.map(({ y }) => y))) - top;
  const cover = new Uint8Array(width * height);
  const moved = lines.map((line) => ({
    ...line,
    points: line.points.map(({ x, y }) => ({ x: x - left, y: y - top })),
  }));
  const scan = createScanner({ width, height });
  scan(moved, (from, to, amount) => void cover.fill(amount, from, to));
  return { left, top, width, height, cover };
}
