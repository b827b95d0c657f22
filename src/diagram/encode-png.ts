import { once } from 'node:events';
import { crc32, createDeflate } from 'node:zlib';
import type { Deflate } from 'node:zlib';

export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

const signature = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10);
/** 8 bits each of red, green and blue. */
const colourType = 2;
/** No filter: areas of one colour compress best as they are. */
const unfiltered = 0;

/** A PNG of opaque pixels, given as RGBA in bands of whole rows. */
export async function* encodePng(
  size: PixelSize,
  bands: AsyncIterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  yield signature;
  yield chunk('IHDR', header(size));
  const deflate = createDeflate({ level: 6, chunkSize: 128 * 1024 });
  const feeding = feed(deflate, bands, size.width);
  for await (const piece of deflate) yield chunk('IDAT', piece as Uint8Array);
  await feeding;
  yield chunk('IEND', new Uint8Array());
}

async function feed(
  deflate: Deflate,
  bands: AsyncIterable<Uint8Array>,
  width: number,
): Promise<void> {
  try {
    for await (const band of bands) {
      if (!deflate.write(scanlines(band, width))) await once(deflate, 'drain');
    }
    deflate.end();
  } catch (error) {
    deflate.destroy(error as Error);
  }
}

function scanlines(rgba: Uint8Array, width: number): Uint8Array {
  const rows = rgba.length / (4 * width);
  const out = new Uint8Array(rows * (3 * width + 1));
  let [from, to] = [0, 0];
  for (let row = 0; row < rows; row++) {
    out[to++] = unfiltered;
    for (let column = 0; column < width; column++) {
      out[to++] = rgba[from++] ?? 0;
      out[to++] = rgba[from++] ?? 0;
      out[to++] = rgba[from++] ?? 0;
      from++;
    }
  }
  return out;
}

function header({ width, height }: PixelSize): Uint8Array {
  const bytes = Buffer.alloc(13);
  bytes.writeUInt32BE(width, 0);
  bytes.writeUInt32BE(height, 4);
  bytes.set([8, colourType, 0, 0, 0], 8);
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
