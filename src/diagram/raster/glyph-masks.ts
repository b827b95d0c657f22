/** Glyphs as pixels, each made once. */
import type { Glyph } from 'fontkit';
import type { FontFile } from '../fonts.ts';
import { createPen, drawGlyph } from './outline.ts';
import type { Polyline } from './outline.ts';
import { createScanner } from './scan.ts';
import type { Scan } from './scan.ts';

/**
 * Pixels beside each other that are covered alike, four numbers each: row, first column and the one
 * after the last, from the pixel that the glyph's origin is in, and how much of them is covered.
 */
export type Mask = readonly number[];

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
  const scan = createScanner(sheet);
  return (order) => {
    const { file, glyph, size, across, down } = order;
    const masks = known.get(file) ?? new Map<string, Mask>();
    known.set(file, masks);
    const key = `${glyph.id} ${size} ${across} ${down}`;
    const mask = masks.get(key) ?? maskOf(outlineOf(order), scan);
    masks.set(key, mask);
    return mask;
  };
}

/** What glyphs are scanned on, with the pixel of their origin: none is larger. */
const sheet = { width: 1024, height: 1024 };
const origin = { column: 512, row: 512 };

function outlineOf({ file, glyph, size, across, down }: GlyphOrder): readonly Polyline[] {
  const scale = size / file.font.unitsPerEm;
  const x0 = origin.column + across / stepsInPixel;
  const y0 = origin.row + down / stepsInPixel;
  const pen = createPen(({ x, y }) => ({ x: x0 + x * scale, y: y0 - y * scale }));
  drawGlyph(glyph.path.commands, pen);
  return pen.lines;
}

function maskOf(lines: readonly Polyline[], scan: Scan): Mask {
  const mask: number[] = [];
  scan(lines, (from, to, cover) => {
    const row = Math.floor(from / sheet.width);
    const start = row * sheet.width + origin.column;
    mask.push(row - origin.row, from - start, to - start, cover);
  });
  return mask;
}
