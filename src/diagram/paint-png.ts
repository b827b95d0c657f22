/** A drawing as a PNG, painted in bands so that its size does not decide how much memory it takes. */
import { renderAsync } from '@resvg/resvg-js';
import type { Drawing } from './drawing.ts';
import { encodePng } from './encode-png.ts';
import { marksOf } from './extent.ts';
import type { Mark } from './extent.ts';
import { rightToLeft } from './bidi.ts';
import { textRuns } from './text-runs.ts';
import type { FontStack } from './fonts.ts';
import { paintSvg } from './paint-svg.ts';
import type { SvgView } from './paint-svg.ts';
import type { Theme } from './palette.ts';

export interface PngOptions {
  readonly theme: Theme;
  readonly fonts: FontStack;
  /** 64 million when absent: what viewers still open at once. A larger drawing is made smaller. */
  readonly maxPixels?: number;
}

/** As sharp as screens are. */
const sharpness = 2;
const usualMaxPixels = 64_000_000;
const bandPixels = 2_000_000;
/** Bands that are painted beside each other. */
const atOnce = 2;

/** The file's bytes, piece by piece. */
export function paintPng(drawing: Drawing, options: PngOptions): AsyncIterable<Uint8Array> {
  const raster = rasterOf(drawing, options.maxPixels ?? usualMaxPixels);
  const bands = bandsOf(drawing, raster, options.fonts);
  return encodePng(raster, painted(bands, options));
}

/** Their pixels as RGBA, in order. */
async function* painted(
  bands: Iterable<Band>,
  options: PngOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const running: Promise<Uint8Array>[] = [];
  for (const band of bands) {
    const next = paint(band, options);
    next.catch(() => undefined);
    running.push(next);
    if (running.length >= atOnce) yield await (running.shift() ?? next);
  }
  for (const last of running) yield await last;
}

interface Raster {
  readonly width: number;
  readonly height: number;
  readonly scale: number;
}

function rasterOf({ width, height }: Drawing, maxPixels: number): Raster {
  const scale = Math.min(sharpness, Math.sqrt(maxPixels / (width * height)));
  return { scale, width: Math.ceil(width * scale), height: Math.ceil(height * scale) };
}

/** A part of the picture, as wide as all of it. */
interface Band {
  readonly part: Drawing;
  readonly view: SvgView;
}

/** From top to bottom, with what is to be seen in each. */
function* bandsOf(
  drawing: Drawing,
  { width, height, scale }: Raster,
  fonts: FontStack,
): Generator<Band, void, undefined> {
  const marks = marksOf(drawing.shapes).flatMap((mark) => fontByFont(mark, fonts));
  const step = Math.max(1, Math.floor(bandPixels / width));
  for (let top = 0; top < height; top += step) {
    const rows = Math.min(step, height - top);
    const [y, end] = [top / scale, (top + rows) / scale];
    const seen = marks.filter((mark) => mark.bottom >= y && mark.top <= end);
    const shapes = seen.map(({ shape }) => shape);
    // The last column of pixels may be a part of one more than the drawing has.
    const part = { ...drawing, title: '', width: width / scale, shapes };
    yield { part, view: { y, height: rows / scale, pixelWidth: width, pixelHeight: rows } };
  }
}

/**
 * Which font has what is settled here: resvg's own way is lost where signs of several characters
 * stand among letters. It is left the texts from right to left, which it orders well.
 */
function fontByFont(mark: Mark, fonts: FontStack): readonly Mark[] {
  const { shape } = mark;
  if (shape.kind !== 'label' || isPlain.test(shape.text) || rightToLeft.test(shape.text))
    return [mark];
  const runs = textRuns(shape.text, shape.face, fonts);
  const widths = runs.map(
    (run) => run.file.font.layout(run.text).advanceWidth * (shape.size / run.file.font.unitsPerEm),
  );
  const total = widths.reduce((sum, width) => sum + width, 0);
  let x = shape.x - (shape.anchor === 'end' ? total : 0);
  return runs.map(({ text, file }, i) => {
    const { anchor: _, ...label } = shape;
    const placed = { ...label, text, x, family: file.font.familyName };
    x += widths[i] ?? 0;
    return { ...mark, shape: placed };
  });
}

const isPlain = /^[ -~]*$/;

async function paint({ part, view }: Band, { theme, fonts }: PngOptions): Promise<Uint8Array> {
  const image = await renderAsync(paintSvg(part, theme, view), {
    font: {
      loadSystemFonts: false,
      fontFiles: fonts.files.map(({ path }) => path),
      defaultFontFamily: 'Inter',
    },
  });
  return image.pixels;
}
