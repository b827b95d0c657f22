import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { demoSchema } from '../../src/demo/schema.ts';
import type { Drawing } from '../../src/portable/drawing/drawing.ts';
import { paintPdf } from '../../src/diagram/paint-pdf.ts';
import { printable } from '../../src/portable/drawing/printable.ts';
import { drawingOf, fonts, hostileSchema } from './drawings.ts';
import { hostileNames } from './hostile.ts';
import { readPdf } from './read-pdf.ts';

const date = new Date('2026-11-21');

function painted(drawing: Drawing): Promise<Buffer> {
  return buffer(paintPdf(drawing, { theme: 'light', fonts, date }));
}

describe('a PDF', () => {
  test('contains every name and type as searchable text', async () => {
    const { texts, title } = readPdf(await painted(await drawingOf(demoSchema)));
    expect(title).toBe('demo · postgres 17.2 · 2026-11-21');
    const columns = [...demoSchema.tables, ...demoSchema.views].flatMap((table) => table.columns);
    const names = [...demoSchema.tables, ...demoSchema.views].map(({ name }) => name);
    for (const name of [...names, ...columns.map((column) => column.name)]) {
      expect(texts).toContain(name);
    }
  });

  test('is one page of the size of the drawing, at 96 pixels per inch', async () => {
    const drawing = await drawingOf(demoSchema);
    const { width, height } = readPdf(await painted(drawing));
    expect([width, height]).toEqual([drawing.width * 0.75, drawing.height * 0.75]);
  });

  test('of a drawing larger than the maximum page is scaled down', async () => {
    const small = await drawingOf(demoSchema);
    const { width, height, texts } = readPdf(
      await painted({ ...small, width: 40_000, height: 10_000 }),
    );
    expect([width, height]).toEqual([14_400, 3600]);
    expect(texts).toContain('users');
  });

  test('has the same bytes for the same drawing', async () => {
    const drawing = await drawingOf(demoSchema);
    expect((await painted(drawing)).equals(await painted(drawing))).toBe(true);
  });

  test('contains hostile names and names in other scripts unchanged', async () => {
    const { texts } = readPdf(await painted(await drawingOf(hostileSchema)));
    const wholeText = texts.join('\n');
    const short = hostileNames.filter(
      (name) => name.trim() === name && name !== '' && name.length < 30,
    );
    for (const name of short.filter((one) => /^[ -~]*$/.test(printable(one)))) {
      expect(texts).toContain(name);
    }
    for (const part of ['Πελάτες', 'заказы', 'Ünïcödé ß', 'العملاء (محمول)', 'לקוחות_שלי', '∑']) {
      expect(wholeText).toContain(part);
    }
  });
});
