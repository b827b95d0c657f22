/** Renders a drawing as PNG. */
import type { Box, Drawing, ColorRole, Label, Line, Shape } from '../portable/drawing/drawing.ts';
import { encodePng } from './encode-png.ts';
import type { FontStack } from './fonts.ts';
import { colorOf } from '../portable/drawing/palette.ts';
import type { Theme } from '../portable/drawing/palette.ts';
import { createCanvas } from './raster/canvas.ts';
import type { Canvas } from './raster/canvas.ts';
import { createGlyphMasks, stepsInPixel } from './raster/glyph-masks.ts';
import { createPen, drawPath, drawRoundedBox } from './raster/outline.ts';
import type { Pen, Polyline } from './raster/outline.ts';
import { createTypesetter } from './raster/set-text.ts';
import type { SetGlyph } from './raster/set-text.ts';
import { dashed, strokeOutline } from './raster/stroke.ts';

export interface PngOptions {
  readonly theme: Theme;
  readonly fonts: FontStack;
  /** Default: 64 million, which common viewers still open. Larger drawings are scaled down. */
  readonly maxPixels?: number;
}

/** Pixels per CSS pixel, for high-density screens. */
const maxScale = 2;
const defaultMaxPixels = 64_000_000;

/** Streams the bytes of the file. */
export function paintPng(drawing: Drawing, options: PngOptions): AsyncIterable<Uint8Array> {
  const { width, height } = drawing;
  const maxPixels = options.maxPixels ?? defaultMaxPixels;
  const scale = Math.min(maxScale, Math.sqrt(maxPixels / (width * height)));
  const size = { width: Math.ceil(width * scale), height: Math.ceil(height * scale) };
  const color = (ink: ColorRole): number =>
    Number.parseInt(colorOf(ink, options.theme).slice(1), 16);
  const canvas = createCanvas(size, color('canvas'));
  const painter = createPainter({ canvas, scale, color, fonts: options.fonts });
  for (const shape of drawing.shapes) painter(shape);
  return encodePng(canvas);
}

interface Raster {
  readonly canvas: Canvas;
  /** Pixels per unit of the drawing. */
  readonly scale: number;
  readonly fonts: FontStack;
  color(ink: ColorRole): number;
}

function createPainter(raster: Raster): (shape: Shape) => void {
  const label = labelPainter(raster);
  const paint = (shape: Shape): void => {
    switch (shape.kind) {
      case 'group':
        return shape.shapes.forEach(paint);
      case 'box':
        return paintLines(
          outlined(raster, (pen) => drawRoundedBox(shape, pen)),
          shape,
          raster,
        );
      case 'line':
        return paintLines(
          outlined(raster, (pen) => drawPath(shape.path, pen)),
          shape,
          raster,
        );
      case 'label':
        return label(shape);
    }
  };
  return paint;
}

function outlined({ scale }: Raster, drawWith: (pen: Pen) => void): readonly Polyline[] {
  const pen = createPen(({ x, y }) => ({ x: x * scale, y: y * scale }));
  drawWith(pen);
  return pen.lines;
}

function paintLines(lines: readonly Polyline[], shape: Box | Line, raster: Raster): void {
  const { canvas, scale, color } = raster;
  const { fill, stroke } = shape;
  if (fill !== undefined) canvas.fill(lines, color(fill));
  if (stroke === undefined) return;
  // `width` is the stroke width of a line, but the size of a box.
  const width = shape.kind === 'line' ? (shape.width ?? 1) : 1;
  const parts = shape.dashed === true ? dashed(lines, { dash: 4 * scale, gap: 3 * scale }) : lines;
  canvas.fill(strokeOutline(parts, width * scale), color(stroke));
}

function labelPainter({ canvas, scale, fonts, color }: Raster): (label: Label) => void {
  const setText = createTypesetter(fonts);
  const maskOf = createGlyphMasks();
  return ({ text, face, size: units, anchor, x, y, ink }) => {
    const size = units * scale;
    const { glyphs, width } = setText(text, face);
    const start = x * scale - (anchor === 'end' ? width * size : 0);
    const stamp = ({ file, glyph, x: dx, y: dy }: SetGlyph): void => {
      const across = Math.round((start + dx * size) * stepsInPixel);
      const down = Math.round((y * scale - dy * size) * stepsInPixel);
      const within = { across: modulo(across), down: modulo(down) };
      const at = {
        column: Math.floor(across / stepsInPixel),
        row: Math.floor(down / stepsInPixel),
      };
      canvas.stamp(maskOf({ file, glyph, size, ...within }), at, color(ink));
    };
    glyphs.forEach(stamp);
  };
}

function modulo(steps: number): number {
  return ((steps % stepsInPixel) + stepsInPixel) % stepsInPixel;
}
