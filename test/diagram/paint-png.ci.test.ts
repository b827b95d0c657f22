import { Resvg } from '@resvg/resvg-js';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { demoSchema } from '../../src/demo/schema.ts';
import type { Drawing } from '../../src/portable/drawing/drawing.ts';
import { paintPng } from '../../src/diagram/paint-png.ts';
import { paintSvg } from '../../src/diagram/paint-svg.ts';
import { drawingOf, fonts, hostileSchema } from './drawings.ts';
import { readPng } from './read-png.ts';
import type { Pixels } from './read-png.ts';
import { generatedSchema } from './schemas.ts';

async function painted(drawing: Drawing, maxPixels?: number): Promise<Pixels> {
  const limit = maxPixels === undefined ? {} : { maxPixels };
  return readPng(await buffer(paintPng(drawing, { theme: 'light', fonts, ...limit })));
}

type Rendered = ReturnType<Resvg['render']>;

function rendered(svg: string): Rendered {
  return new Resvg(svg, {
    font: { loadSystemFonts: false, fontFiles: fonts.files.map(({ path }) => path) },
    fitTo: { mode: 'zoom', value: 2 },
  }).render();
}

/** The share of pixels that differ, and the mean difference in brightness. */
function compare(pixels: Pixels, image: Rendered): { different: number; lighter: number } {
  const { width, height, pixels: otherPixels } = image;
  let [different, lighter] = [0, 0];
  for (let i = 0; i < width * height; i++) {
    const color = pixels.at(i % width, Math.floor(i / width));
    const difference = Number.parseInt(color.slice(3, 5), 16) - (otherPixels[4 * i + 1] ?? 0);
    lighter += difference;
    if (Math.abs(difference) > 48) different++;
  }
  return { different: different / (width * height), lighter: lighter / (width * height) };
}

describe('a PNG', () => {
  test('has twice the pixels of the drawing in each direction', async () => {
    const drawing = await drawingOf(demoSchema);
    const { width, height } = await painted(drawing);
    expect([width, height]).toEqual([drawing.width * 2, drawing.height * 2]);
  });

  test.each(['light', 'dark'] as const)(
    'in %s has the pixels that another renderer makes of the SVG',
    async (theme) => {
      const drawing = await drawingOf(demoSchema);
      const pixels = readPng(await buffer(paintPng(drawing, { theme, fonts })));
      const { different, lighter } = compare(pixels, rendered(paintSvg(drawing, theme)));
      // Tolerates labels that are shifted by a fraction of a pixel. A missing or moved label
      // exceeds this.
      expect(different).toBeLessThan(0.00005);
      expect(Math.abs(lighter)).toBeLessThan(0.02);
    },
  );

  test('has a palette if at most 256 colors are used, and otherwise full color', async () => {
    const namespaces = ['public', 'sales', 'audit', 'hr', 'web', 'ops', 'crm'];
    const [one, many] = await Promise.all(
      [[], namespaces].map(async (names) =>
        drawingOf(generatedSchema({ tables: 21, namespaces: names })),
      ),
    );
    for (const [drawing, type] of [
      [one, 3],
      [many, 2],
    ] as const) {
      if (drawing === undefined) throw new Error('There is no drawing.');
      const bytes = await buffer(paintPng(drawing, { theme: 'light', fonts }));
      expect(bytes[25]).toBe(type);
      const { different } = compare(readPng(bytes), rendered(paintSvg(drawing, 'light')));
      expect(different).toBeLessThan(0.00005);
    }
  });

  test('renders right-to-left text as another renderer does', async () => {
    const texts = [
      'الاسم الكامل',
      'כתובת (ראשית)',
      'العملاء (محمول)',
      'שם_פרטי',
      'combining e\u0301',
    ];
    const style = { kind: 'label', ink: 'text', face: 'text', size: 20 } as const;
    const shapes = texts.map((text, i) => ({ ...style, text, x: 10, y: 30 + 32 * i }));
    const drawing = { width: 220, height: 180, title: '', shapes };
    const { different } = compare(await painted(drawing), rendered(paintSvg(drawing, 'light')));
    expect(different).toBeLessThan(0.001);
  });

  test('of a drawing over the limit is scaled down, and neither blank nor cropped', async () => {
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
    expect(pixels.sampleColors().size).toBeGreaterThan(50);
  });

  test('paints a structure whose names have characters of many scripts', async () => {
    const drawing = await drawingOf(hostileSchema);
    const pixels = await painted(drawing, 1_000_000);
    expect(pixels.sampleColors().size).toBeGreaterThan(50);
  });
});
