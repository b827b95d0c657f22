import { Resvg } from '@resvg/resvg-js';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { demoSchema } from '../../src/demo/schema.ts';
import type { Drawing } from '../../src/diagram/drawing.ts';
import { paintPng } from '../../src/diagram/paint-png.ts';
import { paintSvg } from '../../src/diagram/paint-svg.ts';
import { drawingOf, fonts, hostileSchema } from './drawings.ts';
import { readPng } from './read-png.ts';
import type { Pixels } from './read-png.ts';

async function painted(drawing: Drawing, maxPixels?: number): Promise<Pixels> {
  const limit = maxPixels === undefined ? {} : { maxPixels };
  return readPng(await buffer(paintPng(drawing, { theme: 'light', fonts, ...limit })));
}

describe('a PNG', () => {
  test('has twice the pixels of the drawing each way', async () => {
    const drawing = await drawingOf(demoSchema);
    const { width, height } = await painted(drawing);
    expect([width, height]).toEqual([drawing.width * 2, drawing.height * 2]);
  });

  test('painted in bands is what it is in one piece', async () => {
    const drawing = await drawingOf(demoSchema);
    const pixels = await painted(drawing);
    const image = new Resvg(paintSvg(drawing, 'light'), {
      font: { loadSystemFonts: false, fontFiles: fonts.files.map(({ path }) => path) },
      fitTo: { mode: 'zoom', value: 2 },
    }).render();
    const whole = image.pixels;
    let most = 0;
    for (let i = 0; i < image.width * image.height; i += 7) {
      const got = pixels.at(i % image.width, Math.floor(i / image.width));
      for (let channel = 0; channel < 3; channel++) {
        const value = Number.parseInt(got.slice(1 + 2 * channel, 3 + 2 * channel), 16);
        most = Math.max(most, Math.abs(value - (whole[4 * i + channel] ?? 0)));
      }
    }
    // Edges that a band ends at are smoothed a little differently.
    expect(most).toBeLessThan(32);
  });

  test('of a drawing over the limit is made smaller, and is neither blank nor cut', async () => {
    const { width, height, shapes, title } = await drawingOf(demoSchema);
    const corner = { kind: 'box', x: width - 40, y: height - 40, width: 40, height: 40 } as const;
    const drawing = {
      width,
      height,
      title,
      shapes: [...shapes, { ...corner, fill: 'key' } as const],
    };
    const pixels = await painted(drawing, 300_000);
    expect(pixels.width * pixels.height).toBeLessThan(310_000);
    expect(pixels.width / pixels.height).toBeCloseTo(width / height, 1);
    expect(pixels.at(pixels.width - 5, pixels.height - 5)).toBe('#225ad6');
    expect(pixels.someColours().size).toBeGreaterThan(50);
  });

  test('has a sign for every character of every script that ships', async () => {
    const drawing = await drawingOf(hostileSchema);
    const pixels = await painted(drawing, 1_000_000);
    expect(pixels.someColours().size).toBeGreaterThan(50);
  });
});
