import { once } from 'node:events';
import { crc32, createDeflate } from 'node:zlib';
import type { Deflate } from 'node:zlib';
import type { Pixels } from './raster/canvas.ts';

/** An image with indexed colors. */
export interface Image {
  readonly width: number;
  readonly height: number;
  /** Indexes into `colors`, row by row. */
  readonly pixels: Pixels;
  /** As 0xrrggbb. */
  readonly colors: readonly number[];
}

const signature = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10);
/** PNG filter type 0: areas of one color compress best without a filter. */
const unfiltered = 0;

const chunkBytes = 2 ** 20;
const compression = {
  // Level 3 is more than twice as fast as the default level 6 and gives 40 % more bytes.
  level: 3,
  chunkSize: 128 * 1024,
  // Lets the next chunk be produced while the previous one is compressed.
  writableHighWaterMark: 2 * chunkBytes,
};

/** A PNG color type and its encoding of pixels. */
interface ColorType {
  readonly number: number;
  readonly bytes: number;
  write(pixels: Pixels, to: Uint8Array): void;
}

/** Encodes an image as PNG, with a palette if it has at most 256 colors. */
export async function* encodePng(image: Image): AsyncIterable<Uint8Array> {
  const hasPalette = image.colors.length <= 256;
  const type = hasPalette ? indexed : trueColor(image.colors);
  yield signature;
  yield chunk('IHDR', header(image, type));
  if (hasPalette) yield chunk('PLTE', Uint8Array.from(image.colors.flatMap(bytesOf)));
  const deflate = createDeflate(compression);
  const writing = writePixels(deflate, image, type);
  for await (const data of deflate) yield chunk('IDAT', data as Uint8Array);
  await writing;
  yield chunk('IEND', new Uint8Array());
}

const indexed: ColorType = { number: 3, bytes: 1, write: (pixels, to) => to.set(pixels) };

function trueColor(colors: readonly number[]): ColorType {
  const write = (pixels: Pixels, to: Uint8Array): void => {
    let at = 0;
    for (const pixel of pixels) {
      const color = colors[pixel] ?? 0;
      to[at++] = color >> 16;
      to[at++] = color >> 8;
      to[at++] = color;
    }
  };
  return { number: 2, bytes: 3, write };
}

function bytesOf(color: number): readonly number[] {
  return [color >> 16, (color >> 8) & 0xff, color & 0xff];
}

async function writePixels(deflate: Deflate, image: Image, type: ColorType): Promise<void> {
  const { width, height, pixels } = image;
  const step = Math.max(1, Math.floor(chunkBytes / (width * type.bytes)));
  try {
    for (let row = 0; row < height; row += step) {
      const rows = pixels.subarray(row * width, (row + step) * width);
      if (!deflate.write(scanlines(rows, width, type))) await once(deflate, 'drain');
    }
    deflate.end();
  } catch (error) {
    deflate.destroy(error as Error);
  }
}

function scanlines(pixels: Pixels, width: number, type: ColorType): Uint8Array {
  const stride = 1 + width * type.bytes;
  const rows = pixels.length / width;
  const out = new Uint8Array(rows * stride);
  for (let row = 0; row < rows; row++) {
    const start = row * stride;
    out[start] = unfiltered;
    type.write(
      pixels.subarray(row * width, (row + 1) * width),
      out.subarray(start + 1, start + stride),
    );
  }
  return out;
}

function header({ width, height }: Image, { number }: ColorType): Uint8Array {
  const bytes = Buffer.alloc(13);
  bytes.writeUInt32BE(width, 0);
  bytes.writeUInt32BE(height, 4);
  bytes.set([8, number, 0, 0, 0], 8);
  return bytes;
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(data.length + 12);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, 'latin1');
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), data.length + 8);
  return bytes;
}
