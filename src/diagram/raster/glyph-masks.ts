/** Rasterizes glyphs and caches the results. */
import type { Glyph } from 'fontkit';
import type { FontFile } from '../fonts.ts';
import { createPen, drawGlyph } from './outline.ts';
import type { Polyline } from './outline.ts';
import { createScanner } from './scan.ts';
import type { Scan } from './scan.ts';

/**
 * Horizontal runs of pixels with equal coverage. Each run has four numbers: row, first column,
 * column after the last, and coverage. Rows and columns are relative to the origin's pixel.
 */
export type Mask = readonly number[];

export interface GlyphRequest {
  readonly file: FontFile;
  readonly glyph: Glyph;
  /** In pixels. */
  readonly size: number;
  /** Subpixel position of the origin, in steps of a quarter pixel. */
  readonly across: number;
  readonly down: number;
}

/** Glyph origins are rounded to the nearest of this many subpixel positions. */
export const stepsInPixel = 4;

export function createGlyphMasks(): (request: GlyphRequest) => Mask {
  const cached = new Map<FontFile, Map<string, Mask>>();
  const scan = createScanner(sheet);
  return (request) => {
    const { file, glyph, size, across, down } = request;
    const masks = cached.get(file) ?? new Map<string, Mask>();
    cached.set(file, masks);
    const key = `${glyph.id} ${size} ${across} ${down}`;
    const mask = masks.get(key) ?? maskOf(outlineOf(request), scan);
    masks.set(key, mask);
    return mask;
  };
}

/** The scan area for glyphs and the pixel of their origin. Larger than any glyph. */
const sheet = { width: 1024, height: 1024 };
const origin = { column: 512, row: 512 };

function outlineOf({ file, glyph, size, across, down }: GlyphRequest): readonly Polyline[] {
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
