import { encodePng, type Color } from './png.ts';
import { itemAt } from './random.ts';

/** Tests whether a shape contains a point. Coordinates are in units of the picture's width. */
export type Shape = (x: number, y: number) => boolean;

export interface Layer {
  readonly shape: Shape;
  readonly color: Color;
}

type Point = readonly [x: number, y: number];

export const everywhere: Shape = () => true;

export function ellipse([cx, cy]: Point, [rx, ry]: Point): Shape {
  return (x, y) => ((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 <= 1;
}

export function rectangle([left, top]: Point, [right, bottom]: Point): Shape {
  return (x, y) => x >= left && x < right && y >= top && y < bottom;
}

/** The area below two slopes that meet at a peak. */
export function mountain([peak, top]: Point, slope: number): Shape {
  return (x, y) => y >= top + Math.abs(x - peak) * slope;
}

export function both(a: Shape, b: Shape): Shape {
  return (x, y) => a(x, y) && b(x, y);
}

export function without(a: Shape, b: Shape): Shape {
  return (x, y) => a(x, y) && !b(x, y);
}

export function shade([red, green, blue]: Color, by: number): Color {
  return [Math.round(red * by), Math.round(green * by), Math.round(blue * by)];
}

/** Renders layers, from bottom to top, as a PNG. The bottom layer fills the picture. */
export function paint(layers: readonly Layer[], width: number, height: number): Uint8Array {
  const indexes = new Map<number, number>();
  const palette: Color[] = [];
  const pixels = new Uint8Array(width * height);
  const corners = topLayers(layers, width, height);
  for (let i = 0; i < pixels.length; i++) {
    const color = pixelColor(layers, corners, {
      column: i % width,
      row: Math.floor(i / width),
      width,
    });
    const key = (color[0] << 16) | (color[1] << 8) | color[2];
    if (!indexes.has(key)) indexes.set(key, palette.push(color) - 1);
    pixels[i] = indexes.get(key) ?? 0;
  }
  return encodePng({ width, height, pixels, palette });
}

interface Pixel {
  readonly column: number;
  readonly row: number;
  /** Width of the picture in pixels. */
  readonly width: number;
}

/** Returns the topmost layer at each pixel corner. */
function topLayers(layers: readonly Layer[], width: number, height: number): Layer[] {
  const across = width + 1;
  return Array.from({ length: across * (height + 1) }, (_, i) =>
    topLayer(layers, (i % across) / width, Math.floor(i / across) / width),
  );
}

/** Antialiases only pixels whose corners are in different layers. */
function pixelColor(layers: readonly Layer[], corners: readonly Layer[], pixel: Pixel): Color {
  const upper = pixel.row * (pixel.width + 1) + pixel.column;
  const lower = upper + pixel.width + 1;
  const corner = itemAt(corners, upper);
  const isFlat =
    corners[upper + 1] === corner && corners[lower] === corner && corners[lower + 1] === corner;
  return isFlat ? corner.color : edgeColor(layers, pixel);
}

/** Number of samples per side of a pixel, for antialiasing. */
const samples = 3;

function edgeColor(layers: readonly Layer[], { column, row, width }: Pixel): Color {
  const sum: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < samples ** 2; i++) {
    const x = (column + ((i % samples) + 0.5) / samples) / width;
    const y = (row + (Math.floor(i / samples) + 0.5) / samples) / width;
    const { color } = topLayer(layers, x, y);
    sum[0] += color[0];
    sum[1] += color[1];
    sum[2] += color[2];
  }
  return [mean(sum[0]), mean(sum[1]), mean(sum[2])];
}

function mean(sum: number): number {
  return Math.round(sum / samples ** 2);
}

/** The bottom layer contains every point. */
function topLayer(layers: readonly Layer[], x: number, y: number): Layer {
  return layers.findLast(({ shape }) => shape(x, y)) ?? itemAt(layers, 0);
}
