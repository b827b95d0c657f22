import { describe, expect, test } from 'vitest';
import { createCanvas } from '../../../src/diagram/raster/canvas.ts';
import type { Canvas } from '../../../src/diagram/raster/canvas.ts';
import { createPen, drawPath, drawRoundedBox } from '../../../src/diagram/raster/outline.ts';
import type { Polyline } from '../../../src/diagram/raster/outline.ts';
import { dashed, strokeOutline } from '../../../src/diagram/raster/stroke.ts';

const white = 0xffffff;
const black = 0x000000;

function outline(path: string): readonly Polyline[] {
  const pen = createPen((point) => point);
  drawPath(path, pen);
  return pen.lines;
}

/** The darkness of each pixel of a row, from 0 to 16. */
function darkness({ pixels, colors, width }: Canvas, row: number): readonly number[] {
  return [...pixels.subarray(row * width, (row + 1) * width)].map((index) =>
    Math.round((255 - ((colors[index] ?? 0) & 0xff)) / 16),
  );
}

/** The covered area, in pixels. */
function ink({ pixels, colors }: Canvas): number {
  return [...pixels].reduce((sum, index) => sum + 255 - ((colors[index] ?? 0) & 0xff), 0) / 255;
}

describe('an area', () => {
  test('covers each pixel by the part of it that is inside', () => {
    const canvas = createCanvas({ width: 6, height: 3 }, white);
    canvas.fill(outline('M1.5 0.5L4 0.5L4 2L1.5 2Z'), black);
    expect(darkness(canvas, 0)).toEqual([0, 4, 8, 8, 0, 0]);
    expect(darkness(canvas, 1)).toEqual([0, 8, 16, 16, 0, 0]);
    expect(darkness(canvas, 2)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test('is the same in both directions of its outline', () => {
    const [right, left] = ['M1 1L9 2L5 8Z', 'M1 1L5 8L9 2Z'].map((path) => {
      const canvas = createCanvas({ width: 10, height: 10 }, white);
      canvas.fill(outline(path), black);
      return [...canvas.pixels];
    });
    expect(right).toEqual(left);
  });

  test('that exceeds the canvas is clipped', () => {
    const canvas = createCanvas({ width: 4, height: 4 }, white);
    canvas.fill(outline('M-9 -9L99 -9L99 99L-9 99Z'), black);
    expect(ink(canvas)).toBe(16);
    canvas.fill(outline('M50 1L60 1L60 2Z'), white);
    expect(ink(canvas)).toBe(16);
  });

  test('of a circle has the size of a circle', () => {
    const canvas = createCanvas({ width: 30, height: 30 }, white);
    canvas.fill(outline('M5 15A10 10 0 1 1 25 15A10 10 0 1 1 5 15Z'), black);
    expect(ink(canvas)).toBeCloseTo(Math.PI * 100, -0.8);
  });

  test('of a rounded box covers all but the corners', () => {
    const canvas = createCanvas({ width: 40, height: 30 }, white);
    const pen = createPen((point) => point);
    drawRoundedBox({ x: 2, y: 2, width: 30, height: 20, radius: 6 }, pen);
    canvas.fill(pen.lines, black);
    expect(ink(canvas)).toBeCloseTo(600 - (4 - Math.PI) * 36, -0.8);
  });
});

describe('a stroke', () => {
  const strokeArea = (path: string, width: number): number => {
    const canvas = createCanvas({ width: 60, height: 60 }, white);
    canvas.fill(strokeOutline(outline(path), width), black);
    return ink(canvas);
  };

  test('has its width and round ends', () => {
    expect(strokeArea('M10 20L50 20', 4)).toBeCloseTo(160 + Math.PI * 4, -0.5);
    expect(strokeArea('M10 10L40 50', 4)).toBeCloseTo(200 + Math.PI * 4, -0.5);
    expect(strokeArea('M20 20', 8)).toBeCloseTo(Math.PI * 16, -0.5);
  });

  test('turns corners without gaps or artifacts', () => {
    expect(strokeArea('M10 10L50 10L50 50', 4)).toBeCloseTo(
      320 + Math.PI * 4 + (Math.PI - 4),
      -0.6,
    );
    expect(strokeArea('M10 10L50 10L50 50L10 50Z', 4)).toBeCloseTo(640 - 4 * (4 - Math.PI), -0.6);
  });

  test('can be dashed', () => {
    const lines = dashed(outline('M0 0L10 0L10 10'), { dash: 4, gap: 3 });
    expect(lines.map(({ points }) => points)).toEqual([
      [
        { x: 0, y: 0 },
        { x: 0, y: 0 },
        { x: 4, y: 0 },
      ],
      [
        { x: 7, y: 0 },
        { x: 10, y: 0 },
        { x: 10, y: 1 },
      ],
      [
        { x: 10, y: 4 },
        { x: 10, y: 8 },
      ],
    ]);
  });
});

test('indistinguishable shades are merged, but requested colors stay exact', () => {
  const canvas = createCanvas({ width: 4, height: 1 }, white);
  for (const [i, color] of [0xfefefe, 0xfdfdfd, white].entries()) {
    canvas.fill(outline(`M${i} 0L${i + 1} 0L${i + 1} 1L${i} 1Z`), color);
  }
  expect([...canvas.pixels].map((index) => canvas.colors[index])).toEqual([
    0xfefefe,
    0xfdfdfd,
    white,
    white,
  ]);
});

test('more than 256 colors are possible', () => {
  const canvas = createCanvas({ width: 300, height: 1 }, white);
  const colors = Array.from({ length: 300 }, (_, i) => i * 0x101);
  for (const [i, color] of colors.entries()) {
    canvas.fill(outline(`M${i} 0L300 0L300 1L${i} 1Z`), color);
  }
  expect([...canvas.pixels].map((index) => canvas.colors[index])).toEqual(colors);
});
